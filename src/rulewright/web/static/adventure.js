/* The editor of adventures: cards are dragged, or moved with arrow keys and Alt; lines follow; the place is saved. */
"use strict";

(() => {
  const editor = document.querySelector("[data-editor]");
  const plane = editor?.querySelector(".node-plane svg");
  if (!plane) return;
  const WIDE = 168, HIGH = 60, STEP = 20, FAR = 5000;
  const cards = new Map([...plane.querySelectorAll(".node-card")].map((card) => [card.dataset.node, card]));
  let held = null; // the card that is dragged, with where it began
  let dragged = false;
  let saving = Promise.resolve();

  const at = (card) => [Number(card.dataset.x), Number(card.dataset.y)];

  function line(path) {
    const [source, target] = [cards.get(path.dataset.source), cards.get(path.dataset.target)];
    if (!source || !target) return;
    const [x, y] = at(source), [toX, toY] = at(target);
    const across = toX - x, down = toY - y;
    const share = Math.min(across ? WIDE / 2 / Math.abs(across) : 1e9, down ? HIGH / 2 / Math.abs(down) : 1e9, 0.5);
    const [a, b, c, d] = [x + WIDE / 2 + across * share, y + HIGH / 2 + down * share, toX + WIDE / 2 - across * share, toY + HIGH / 2 - down * share];
    path.setAttribute("d", `M${Math.round(a)} ${Math.round(b)}L${Math.round(c)} ${Math.round(d)}`);
  }

  function place(card, x, y) {
    card.dataset.x = Math.min(Math.max(Math.round(x), 0), FAR);
    card.dataset.y = Math.min(Math.max(Math.round(y), 0), FAR);
    card.setAttribute("transform", `translate(${card.dataset.x} ${card.dataset.y})`);
    for (const path of plane.querySelectorAll(".way-line")) if (path.dataset.source === card.dataset.node || path.dataset.target === card.dataset.node) line(path);
    const right = Math.max(...[...cards.values()].map((other) => at(other)[0])) + WIDE + 40, low = Math.max(...[...cards.values()].map((other) => at(other)[1])) + HIGH + 40;
    plane.setAttribute("viewBox", `0 0 ${right} ${low}`);
    plane.setAttribute("width", right);
    plane.setAttribute("height", low);
  }

  // One after the other, because each change has the version of the one before.
  function save(card) {
    saving = saving.then(async () => {
      const fields = new FormData();
      fields.set("node", card.dataset.node);
      fields.set("x", card.dataset.x);
      fields.set("y", card.dataset.y);
      fields.set("version", editor.querySelector("[name=version]").value);
      try {
        const answer = await fetch(`${editor.dataset.editor}/move`, { method: "POST", body: fields, headers: { "HX-Request": "true" } });
        if (!answer.ok) throw new Error(new DOMParser().parseFromString(await answer.text(), "text/html").body.textContent.trim());
        const { version } = await answer.json();
        for (const input of editor.querySelectorAll("[name=version]")) input.value = version;
        document.getElementById("notice").replaceChildren();
      } catch (error) {
        const words = document.createElement("p");
        words.className = "refusal";
        words.textContent = error.message || _("The place was not saved. Try again in a moment.");
        document.getElementById("notice").replaceChildren(words);
      }
    });
  }

  plane.addEventListener("pointerdown", (event) => {
    const card = event.target.closest(".node-card");
    dragged = false;
    if (!card || event.button) return;
    const [x, y] = at(card);
    held = { card, x, y, fromX: event.clientX, fromY: event.clientY, moved: false };
  });
  plane.addEventListener("dragstart", (event) => event.preventDefault());
  window.addEventListener("pointermove", (event) => {
    if (!held) return;
    const across = event.clientX - held.fromX, down = event.clientY - held.fromY;
    if (!held.moved && Math.hypot(across, down) < 5) return;
    held.moved = true;
    event.preventDefault();
    place(held.card, held.x + across, held.y + down);
  });
  window.addEventListener("pointerup", () => {
    dragged = Boolean(held?.moved);
    if (dragged) save(held.card);
    held = null;
  });
  // The click at the end of a drag opens nothing.
  plane.addEventListener("click", (event) => {
    if (dragged) event.preventDefault();
    dragged = false;
  });
  window.addEventListener("pointercancel", () => {
    if (held) place(held.card, held.x, held.y);
    held = null;
  });
  plane.addEventListener("keydown", (event) => {
    const card = event.target.closest(".node-card");
    const step = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[event.key];
    if (!card || !step || !event.altKey) return;
    event.preventDefault();
    const [x, y] = at(card);
    place(card, x + step[0], y + step[1]);
    save(card);
  });

  // What was typed and not saved is not lost by accident.
  let typed = false;
  editor.addEventListener("input", (event) => { if (event.target.form?.matches("#form form")) typed = true; });
  editor.addEventListener("submit", () => { typed = false; });
  window.addEventListener("beforeunload", (event) => { if (typed) event.preventDefault(); });
})();
