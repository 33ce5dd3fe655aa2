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
      if (now && bar.dataset.mine && document.body.dataset.map === "open" && !document.querySelector("#field[data-asks]")) opens(false);
    }
    told();
    follow();
  }

  // The map is a strip above the question; one touch opens it, and another closes it.
  function opens(open) {
    document.body.dataset.map = open ? "open" : "strip";
    document.getElementById("map-opens")?.setAttribute("aria-pressed", String(open));
    window.dispatchEvent(new Event("resize"));
    setTimeout(() => window.field?.showAll());
  }

  document.addEventListener("click", (event) => {
    if (!narrow.matches) return;
    const button = event.target.closest?.("#map-opens"), isOpen = document.body.dataset.map === "open";
    if (button) opens(!isOpen);
    else if (!isOpen && event.target.closest?.("#field") && !event.target.closest(".counter")) opens(true);
    else if (isOpen && event.target.closest?.(".whose")) opens(false);
    event.target.closest?.("#banner")?.classList.toggle("opened");
  });

  // The strip shows those whom the question is about.
  function follow() {
    if (narrow.matches && document.body.dataset.map !== "open" && open() === "field") setTimeout(() => document.getElementById("field") && window.field?.showAll());
  }
  document.addEventListener("rulewright:aimed", follow);

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
