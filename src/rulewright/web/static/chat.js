/* The chat: its help, and macros, which are named messages or rolls on buttons. Macros stay in this browser. */
"use strict";

(() => {
  const form = document.querySelector("form.say"), help = document.getElementById("chat-help"), row = document.getElementById("macros");
  if (!form || !help || !row) return;
  const MOST = 12, LETTERS = 24;
  const place = `macros ${document.querySelector("[data-table]").dataset.table}`;

  function saved() {
    try { return JSON.parse(localStorage.getItem(place)) || []; } catch { return []; }
  }

  function save(macros) {
    try { localStorage.setItem(place, JSON.stringify(macros)); } catch { /* a browser without storage keeps them until it leaves */ }
    show(macros);
  }

  function show(macros) {
    row.replaceChildren(...macros.map(({ name, text }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.title = text;
      button.addEventListener("click", () => {
        const fields = new FormData(form);
        fields.set("text", text);
        window.tableActs(fields);
      });
      return button;
    }));
    row.hidden = !macros.length;
  }

  // "/macro Parry = /roll 3d+1 vs 5" saves a button, "/macro Parry =" removes it.
  function define(words) {
    const [name, ...rest] = words.split("=");
    const label = name.trim().slice(0, LETTERS), text = rest.join("=").trim();
    if (!label) return false;
    const others = saved().filter((macro) => macro.name !== label);
    save(text ? [...others, { name: label, text }].slice(-MOST) : others);
    return true;
  }

  function showHelp() {
    help.open = true;
    help.scrollIntoView({ block: "nearest" });
    help.querySelector("summary").focus();
  }

  form.addEventListener("submit", (event) => {
    const text = form.elements.text.value.trim();
    const macro = /^\/macro\s+(.*)$/i.exec(text);
    if (/^\/(help|\?)$/i.test(text)) showHelp();
    else if (!(macro && define(macro[1]))) return;
    event.preventDefault();
    event.stopPropagation();
    form.reset();
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.target.matches("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    document.querySelector('#tabs [data-shows="log"]')?.click();
    showHelp();
  });

  show(saved());
})();
