/* Being told that one is asked, on every page of a table: the tab's title, a badge, and if wanted a sound and a notice. */
"use strict";

(() => {
  const badge = document.getElementById("asked-badge");
  const back = document.getElementById("back-to-table");
  try {
    // Odds, lab and rules know of no table: whoever came from one finds the way back.
    if (badge) sessionStorage.setItem("table", badge.dataset.asks);
    else if (back && sessionStorage.getItem("table") && location.pathname !== "/") { back.href = sessionStorage.getItem("table"); back.hidden = false; }
  } catch { /* a browser that keeps nothing */ }
  if (!badge) return;
  const url = badge.dataset.asks;
  const title = document.title;
  const call = document.getElementById("call-me");
  let known = null;

  function wanted() { try { return localStorage.getItem("call-me") === "on"; } catch { return false; } }

  function shown() {
    if (!call) return;
    call.hidden = false;
    call.setAttribute("aria-pressed", wanted() ? "true" : "false");
    call.textContent = `Call me: ${wanted() ? "on" : "off"}`;
  }

  call?.addEventListener("click", () => {
    try { localStorage.setItem("call-me", wanted() ? "off" : "on"); } catch { return; }
    shown();
    if (wanted()) { sound(); if ("Notification" in window && Notification.permission === "default") Notification.requestPermission(); }
  });

  function sound() {
    try {
      const context = new AudioContext(), tone = context.createOscillator(), loud = context.createGain();
      tone.frequency.value = 660;
      loud.gain.setValueAtTime(0.12, context.currentTime);
      loud.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + 0.5);
      tone.connect(loud).connect(context.destination);
      tone.start();
      tone.stop(context.currentTime + 0.5);
    } catch { /* a browser without sound */ }
  }

  function tell(asked) {
    document.title = asked ? `● ${asked} · ${title}` : title;
    badge.hidden = !asked;
    badge.textContent = asked ? "You are asked" : "";
    badge.title = asked;
    if (asked && known !== null && asked !== known && wanted()) {
      sound();
      if (document.hidden && "Notification" in window && Notification.permission === "granted") new Notification(title, { body: asked, tag: url });
    }
    known = asked;
  }

  // On the table itself the bar says it; elsewhere the server is asked whenever something has changed.
  const bar = () => document.getElementById("question");
  async function look() {
    if (bar()) return tell(bar().dataset.mine || "");
    try {
      const answer = await fetch(`${url}/asked`, { headers: { "HX-Request": "true" } });
      if (answer.ok) tell((await answer.json()).asked);
    } catch { /* the stream says when the server is back */ }
  }

  document.addEventListener("rulewright:drawn", look);
  if (!bar()) {
    const stream = new EventSource(`${url}/live`);
    stream.addEventListener("changed", look);
    // A form that leaves this page may take the seat with it: nobody listens until the next page is there.
    document.addEventListener("submit", (event) => { if (!event.defaultPrevented) stream.close(); });
  }
  shown();
  look();
})();
