/* “Your turn” on every page of a table: the tab's title, a badge, and with notifications on a sound and a browser notification. */
"use strict";

(() => {
  const badge = document.getElementById("asked-badge");
  const back = document.getElementById("back-to-table");
  try {
    // Odds, lab and rules pages do not belong to a table: they link back to the last table.
    if (badge) sessionStorage.setItem("table", badge.dataset.asks);
    else if (back && sessionStorage.getItem("table") && location.pathname !== "/") { back.href = sessionStorage.getItem("table"); back.hidden = false; }
  } catch { /* no session storage */ }
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
    call.textContent = wanted() ? _("Notifications: on") : _("Notifications: off");
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
    } catch { /* no audio */ }
  }

  function tell(asked) {
    document.title = asked ? `● ${asked} · ${title}` : title;
    badge.hidden = !asked;
    badge.textContent = asked ? _("Your turn") : "";
    badge.title = asked;
    if (asked && known !== null && asked !== known && wanted()) {
      sound();
      if (document.hidden && "Notification" in window && Notification.permission === "granted") new Notification(title, { body: asked, tag: url });
    }
    known = asked;
  }

  // The table page reads its own question bar; other pages ask the server after each change.
  const bar = () => document.getElementById("question");
  async function look() {
    if (bar()) return tell(bar().dataset.mine || "");
    try {
      const answer = await fetch(`${url}/asked`, { headers: { "HX-Request": "true" } });
      if (answer.ok) tell((await answer.json()).asked);
    } catch { /* the event stream reports when the server is back */ }
  }

  document.addEventListener("rulewright:drawn", look);
  if (!bar()) {
    const stream = new EventSource(`${url}/live`);
    stream.addEventListener("changed", look);
    // A submitted form may change the seat: stop listening until the next page.
    document.addEventListener("submit", (event) => { if (!event.defaultPrevented) stream.close(); });
  }
  shown();
  look();
})();
