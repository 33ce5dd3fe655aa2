/* Tabs of the table page on phones: map with question, people, log. Without this script the parts are listed one below the other. */
"use strict";

(() => {
  const table = document.querySelector("[data-table]");
  const tabs = document.getElementById("tabs");
  if (!table || !tabs) return;
  const narrow = matchMedia("(max-width: 900px)");
  const entries = () => document.querySelectorAll("#log .entry").length;
  const typing = () => document.activeElement?.matches("input, textarea, select");
  let read = entries(); // log entries already seen
  let asked = "";

  const open = () => document.body.dataset.tab;

  function show(name) {
    document.body.dataset.tab = name;
    for (const tab of tabs.children) tab.setAttribute("aria-pressed", String(tab.dataset.shows === name));
    if (name === "log") {
      read = entries();
      const side = document.getElementById("log-side");
      side.scrollTop = side.scrollHeight;
    }
    told();
    window.dispatchEvent(new Event("resize")); // the map fits itself to its space
  }

  function told() {
    const unread = open() === "log" ? 0 : Math.max(0, entries() - read);
    if (open() === "log") read = entries();
    mark("log", unread ? String(Math.min(unread, 99)) : "");
    mark("field", open() !== "field" && document.getElementById("question")?.dataset.mine ? "!" : "");
  }

  function mark(name, words) {
    const tab = tabs.querySelector(`[data-shows="${name}"] i`);
    tab.textContent = words;
    tab.hidden = !words;
  }

  // A new question scrolls to its top, and its tab opens unless the user is typing.
  function questioned() {
    const now = document.querySelector("#question .asked-of")?.id || "";
    if (now !== asked) {
      asked = now;
      const bar = document.getElementById("question");
      if (bar) bar.scrollTop = 0;
      if (now && bar.dataset.mine && open() === "people" && !typing()) show("field");
    }
    told();
  }

  function fits() {
    document.body.classList.toggle("tabbed", narrow.matches);
    tabs.hidden = !narrow.matches;
  }

  tabs.addEventListener("click", (event) => {
    const tab = event.target.closest("[data-shows]");
    if (tab) show(tab.dataset.shows);
  });
  narrow.addEventListener("change", fits);
  document.addEventListener("rulewright:drawn", questioned);
  fits();
  show("field");
  questioned();
})();
