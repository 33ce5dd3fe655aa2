/* The board for preparing a scene. The draft is the whole scene as plain data. Each change sends the draft, and the server redraws the
   board. Characters are dragged from the list or placed with a tap, moved on the map, and removed. Strokes of the drawing tools are
   stored in the map itself. */
"use strict";

(() => {
  const page = document.querySelector("[data-prepares]");
  if (!page) return;
  const url = page.dataset.field, where = page.dataset.prepares, kept = page.dataset.keepIn;
  const id = (name) => document.getElementById(name);
  const draft = () => JSON.parse(id("draft").value);
  const past = []; // undo stack: earlier drafts, or "stroke"

  function tell(words, wrong) {
    const line = id("prepare-told");
    line.textContent = words;
    line.classList.toggle("wrong", Boolean(wrong));
  }

  /* --- the draft ------------------------------------------------------------------------------------------------------ */

  let asked = 0;

  // Sends the draft and draws the reply, unless a newer draft was sent meanwhile.
  async function redraw(path = "/board", more = {}) {
    const mine = ++asked;
    const fields = new FormData();
    const around = { draft: id("draft").value, eyes: id("see-as")?.value || "", kept: id("kept-as").value };
    for (const [name, value] of Object.entries({ ...around, ...more })) fields.set(name, value);
    let answer, text;
    try {
      answer = await fetch(where + path, { method: "POST", body: fields, headers: { "HX-Request": "true" } });
      text = await answer.text();
    } catch { tell(_("Cannot reach the server. Try again."), true); return false; }
    if (mine !== asked) return false;
    const fresh = new DOMParser().parseFromString(text, "text/html");
    if (!answer.ok) { tell(fresh.body.textContent.trim(), true); return false; }
    const focus = document.activeElement?.id;
    const before = id("map")?.dataset.mark;
    if (id("easel")?.dataset.target !== fresh.getElementById("easel")?.dataset.target) id("easel")?.remove(); // another map, other tools
    Idiomorph.morph(id("prepare"), fresh.getElementById("prepare"), {
      morphStyle: "outerHTML",
      ignoreActiveValue: document.activeElement.matches("#prepare input, #prepare textarea"),
      callbacks: {
        beforeNodeMorphed: (old, next) => !window.fieldKeeps?.(old, next),
        beforeAttributeUpdated: (name, node) => !(name === "viewBox" && node.id === "field") && !(name === "open" && node.matches("details")),
      },
    });
    if (before !== id("map")?.dataset.mark && id("field")) window.field.showAll();
    if (focus && document.activeElement?.id !== focus) id(focus)?.focus({ preventScroll: true });
    id("weigh-stale").hidden = !id("weighed").querySelector("#job");
    after();
    return true;
  }

  // Restores after redrawing: the chosen character, the search, the undo button.
  function after() {
    sessionStorage.setItem(kept, id("draft").value);
    sessionStorage.setItem(`${kept} as`, id("kept-as").value);
    id("take-back").disabled = !past.length;
    id("prepare-told").classList.toggle("wrong", id("begin").disabled);
    find();
    mark();
    areas();
    document.dispatchEvent(new CustomEvent("rulewright:drawn"));
  }

  function change(edit, more) {
    const before = id("draft").value, now = draft();
    edit(now);
    const next = JSON.stringify(now);
    if (next === before && !more) return Promise.resolve(false);
    past.push(before);
    id("draft").value = next;
    return redraw("/board", more);
  }

  async function undo() {
    const last = past.pop();
    if (last === undefined) return;
    if (last === "stroke") await act({ do: "undo drawing", map: draft().map });
    else id("draft").value = last;
    if (await redraw()) tell(_("Undone."));
  }

  async function act(action) {
    const key = crypto.randomUUID ? crypto.randomUUID() : String(Math.random()).slice(2) + Date.now();
    const answer = await fetch(`/api${url}/act`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ action, key }) });
    const said = await answer.json();
    if (!answer.ok) { tell(said.error || _("This is not possible."), true); return null; }
    return said;
  }

  // For draw.js: redraws the board after a stroke.
  window.boardDrawn = (stroke) => { if (stroke) past.push("stroke"); return redraw(); };
  // For field.js: a token was dropped or moved with the arrow keys.
  window.boardMoves = (name, spot) => {
    const [side, at] = JSON.parse(id("draft-who").value)[name] || [];
    if (side === undefined) return;
    change((now) => { now.sides[side][at].at = [Number(spot[0].toFixed(2)), Number(spot[1].toFixed(2))]; })
      .then((done) => done && !id("begin").disabled && tell(_("%(name)s is at %(x)s, %(y)s.", { name, x: spot[0], y: spot[1] })));
  };

  /* --- characters --------------------------------------------------------------------------------------------------------- */

  let inHand = null; // the key of the character that the next tap places

  const addsTo = () => (document.querySelector('[name="adds-to"]:checked') || document.querySelector('[name="adds-to"]')).value;
  // Player characters always join the first side.
  const sideOf = (row) => (row.dataset.side === document.querySelector('[name="adds-to"]').value ? row.dataset.side : addsTo());

  function add(key, side, spot) {
    return change((now) => {
      const list = (now.sides[side] ||= []);
      const other = Object.values(now.sides).flat().some((one) => one.character === key);
      const one = { character: key, ...(spot ? { at: spot } : {}) };
      if (!key.includes("/") && other) { // a character of the table takes part only once
        for (const each of Object.values(now.sides)) for (const there of each) if (there.character === key && spot) there.at = spot;
      } else list.push(one);
    }).then((done) => done && !id("begin").disabled && tell(_("Added to %(side)s.", { side })));
  }

  function removed(now, side, at) {
    const one = now.sides[side][at];
    if ((one.count || 1) > 1) one.count -= 1;
    else now.sides[side].splice(at, 1);
  }

  function mark() {
    for (const row of document.querySelectorAll(".offered-one")) {
      const on = row.dataset.key === inHand;
      row.classList.toggle("in-hand", on);
      row.querySelector(".take").setAttribute("aria-pressed", String(on));
    }
    id("field")?.classList.toggle("puts", Boolean(inHand));
  }

  function find() {
    const words = id("who-find").value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of document.querySelectorAll(".offered-one")) row.hidden = !words.every((word) => row.dataset.find.includes(word));
  }

  const near = (key) => document.querySelector(`.offered-one[data-key="${CSS.escape(key)}"]`);
  const spotOf = (event) => { const [x, y] = window.field.spotAt(...window.field.onPaper(event)); return [Number(x.toFixed(2)), Number(y.toFixed(2))]; };
  const overField = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest?.("#field");

  /* --- starting areas ------------------------------------------------------------------------------------------------- */

  let begins = null; // { side, from } of the area being drawn

  const cornersOf = ([x, y, wide, high]) => (window.field.hexed()
    ? [[x, y], [x + wide - 1, y], [x + wide - 1, y + high - 1], [x, y + high - 1]] : [[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]]).map((spot) => window.field.paperOf(spot));

  // Draws the areas below the tokens, in the colour of their side.
  function areas(sketched) {
    const svg = id("field");
    if (!svg || !window.field) return;
    id("start-areas")?.remove();
    if (id("see-as")?.value) return;
    const layer = window.field.make("g", { id: "start-areas" });
    const sides = [...document.querySelectorAll('[name="adds-to"]')].map((each) => each.value);
    for (const [side, box] of Object.entries({ ...draft().starts, ...sketched })) {
      const corners = cornersOf(box), xs = corners.map(([x]) => x), ys = corners.map(([, y]) => y), more = window.field.hexed() ? 0.6 : 0;
      const shape = { x: Math.min(...xs) - more, y: Math.min(...ys) - more, width: Math.max(...xs) - Math.min(...xs) + 2 * more, height: Math.max(...ys) - Math.min(...ys) + 2 * more };
      const area = window.field.make("rect", { class: `start-area side${Math.max(0, sides.indexOf(side)) % 4}`, ...shape });
      const words = window.field.make("title", {});
      words.textContent = _("Starting area of %(side)s", { side });
      area.append(words);
      layer.append(area);
    }
    svg.insertBefore(layer, svg.querySelector(".counter, #field-hand"));
  }

  const boxOf = (a, b) => {
    const hex = window.field.hexed() ? 1 : 0, cents = (value) => Math.round(value * 100) / 100;
    return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.abs(a[0] - b[0]) + hex, Math.abs(a[1] - b[1]) + hex].map(cents);
  };

  function starts(side) {
    begins = side ? { side, from: null } : null;
    for (const button of document.querySelectorAll('[data-prepare="start"]')) button.setAttribute("aria-pressed", String(button.dataset.side === side));
    id("field")?.classList.toggle("puts", Boolean(begins || inHand));
    tell(side ? _("Drag over the map to mark the starting area of %(side)s. Esc cancels.", { side }) : "");
  }

  document.addEventListener("pointerdown", (event) => {
    if (!begins || !event.isPrimary || event.button > 0 || !event.target.closest?.("#field")) return;
    begins.from = spotOf(event);
    event.preventDefault();
    event.stopPropagation();
  }, true);
  document.addEventListener("pointermove", (event) => {
    if (!begins?.from || !overField(event)) return;
    event.stopPropagation();
    areas({ [begins.side]: boxOf(begins.from, spotOf(event)) });
  }, true);
  document.addEventListener("pointerup", (event) => {
    if (!begins?.from) return;
    event.stopPropagation();
    const { side, from } = begins, box = overField(event) ? boxOf(from, spotOf(event)) : null;
    starts(null);
    if (!box || box[2] <= 0 || box[3] <= 0) { areas(); tell(_("This area is too small."), true); return; }
    change((now) => { (now.starts ||= {})[side] = box; for (const one of now.sides[side] || []) one.at = null; })
      .then((done) => done && !id("begin").disabled && tell(_("Starting area of %(side)s set.", { side })));
  }, true);

  // Edits a character's name, tactic and starting condition.
  function member(field) {
    const row = field.closest("[data-key]"), places = row.dataset.places.split(" ").map(Number);
    const each = (edit) => change((now) => places.forEach((at) => edit(now.sides[row.dataset.side][at])));
    if (field.dataset.member) return each((one) => { one[field.dataset.member] = field.value.trim(); });
    if (field.hasAttribute("data-member-adds")) return asksFor(field);
    const text = field.value.trim();
    return each((one) => {
      one.state = { ...one.state };
      if (text) one.state[field.dataset.memberState] = valueOf(text);
      else delete one.state[field.dataset.memberState];
    });
  }

  // Adds an input for a new starting value; it counts once it is filled in.
  function asksFor(list) {
    list.parentElement.querySelector("input")?.remove();
    if (!list.value) return;
    const input = document.createElement("input");
    Object.assign(input, { maxLength: 200, autocomplete: "off", placeholder: list.selectedOptions[0].textContent });
    input.setAttribute("aria-label", list.selectedOptions[0].textContent);
    input.dataset.memberState = list.value;
    list.after(input);
    input.focus();
  }

  function valueOf(text) {
    if (/^(yes|no)$/i.test(text)) return text.toLowerCase() === "yes";
    try { return JSON.parse(text); } catch { return text; }
  }

  /* --- saved scenes ---------------------------------------------------------------------------------------------------- */

  async function keep(as) {
    const now = draft();
    const said = await act({ do: "keep draft", scene: now, name: now.name, draft: as });
    if (!said) return;
    id("kept-as").value = said.made;
    if (await redraw()) tell(_("%(name)s is saved.", { name: now.name }));
  }

  async function withKept(row, what) {
    const draftId = row.dataset.draftId, name = row.dataset.name;
    if (what === "open-kept") {
      const before = id("draft").value;
      if (await redraw("/kept", { kept: draftId })) { past.push(before); after(); }
    } else if (what === "copy-kept") { if (await act({ do: "copy draft", draft: draftId }) && await redraw()) tell(_("%(name)s is copied.", { name })); }
    else if (await act({ do: "remove draft", draft: draftId }) && await redraw()) tell(_("%(name)s is archived. Undo restores it.", { name }));
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target.closest?.("#prepare [data-structure]");
    if (!form) return;
    event.preventDefault();
    structure(form);
  });

  async function structure(form) {
    const fields = Object.fromEntries(new FormData(form)), before = id("draft").value;
    const { field: part, do: does, ...rows } = fields;
    if (await redraw("/board", { part, does, ...rows })) { if (id("draft").value !== before) past.push(before); if (does === "add in" || does === "give in") form.reset(); after(); }
  }

  /* --- fingers -------------------------------------------------------------------------------------------------------- */

  let pulled = null; // { row, from, on }
  let pressed = null;

  document.addEventListener("pointerdown", (event) => {
    const row = event.target.closest?.(".offered-one");
    if (row && event.isPrimary && event.button === 0 && !event.target.closest(".add") && (event.pointerType === "mouse" || event.target.closest(".grip"))) {
      pulled = { row, from: [event.clientX, event.clientY], on: false };
      if (event.target.closest(".grip")) event.preventDefault();
    }
    pressed = event.target.closest?.("#field") && !event.target.closest("[data-moves], .handle") ? [event.clientX, event.clientY] : null;
  });

  document.addEventListener("pointermove", (event) => {
    if (!pulled) return;
    if (!pulled.on && Math.hypot(event.clientX - pulled.from[0], event.clientY - pulled.from[1]) < 6) return;
    pulled.on = true;
    pulled.row.classList.add("pulled");
    document.body.classList.add("pulling");
    const layer = window.field?.hand();
    if (!layer) return;
    if (!overField(event)) { layer.replaceChildren(); return; }
    const [x, y] = window.field.paperOf(spotOf(event)), size = window.field.radius();
    const words = window.field.make("text", { x, y: y - size * 1.4, "font-size": size });
    words.textContent = pulled.row.querySelector("b").textContent;
    layer.replaceChildren(window.field.make("circle", { class: "ghost", cx: x, cy: y, r: size }), words);
  });

  document.addEventListener("pointerup", (event) => {
    if (pulled) {
      const { row, on } = pulled;
      letGo();
      if (on && overField(event)) add(row.dataset.key, sideOf(row), spotOf(event));
    } else if (inHand && pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < 6 && overField(event)) {
      add(inHand, sideOf(near(inHand)), spotOf(event));
    }
    pressed = null;
  });
  document.addEventListener("pointercancel", letGo);

  function letGo() {
    pulled?.row.classList.remove("pulled");
    document.body.classList.remove("pulling");
    window.field?.hand()?.replaceChildren();
    pulled = null;
  }

  /* --- buttons, fields and keys --------------------------------------------------------------------------------------- */

  async function use(button) {
    const what = button.dataset.prepare, row = button.closest("[data-key]");
    if (what === "take") { inHand = inHand === row.dataset.key ? null : row.dataset.key; mark(); tell(inHand ? _("Tap the map to place the character. Esc cancels.") : ""); }
    else if (what === "add") add(row.dataset.key, sideOf(row));
    else if (what === "less") change((now) => removed(now, row.dataset.side, Number(row.dataset.places.split(" ").pop())));
    else if (what === "one-more") change((now) => {
      const list = now.sides[row.dataset.side], last = Number(row.dataset.places.split(" ").pop());
      if (row.hasAttribute("data-together") || (list[last].count || 1) > 1) list[last].count = (list[last].count || 1) + 1;
      else if (!row.dataset.key.includes("/")) { tell(_("A character of the table can take part only once.")); }
      else list.push({ ...list[last], at: null, name: "" });
    });
    else if (what === "undo") undo();
    else if (what === "start") starts(begins?.side === button.dataset.side ? null : button.dataset.side);
    else if (what === "no-start") change((now) => { delete now.starts[button.dataset.side]; });
    else if (what === "keep") keep(id("kept-as").value);
    else if (what === "keep-new") keep("");
    else if (what === "undo-kept") { if (await act({ do: "undo drafts" }) && await redraw()) tell(_("Undone.")); }
    else if (["open-kept", "copy-kept", "drop-kept"].includes(what)) withKept(button.closest("[data-draft-id]"), what);
    else if (what === "sheet") {
      const now = draft();
      const said = await act({ do: "keep map", name: (now.name || _("Map")).slice(0, 60), of: now.scene, ground: JSON.parse(button.dataset.sheet) });
      if (said) change((next) => { next.map = said.made; for (const one of Object.values(next.sides).flat()) one.at = null; });
    } else if (what === "lay") {
      const number = (name) => Number(id(name).value.replace(",", "."));
      const thing = { grid: id("sheet-grid").value, cell: number("sheet-cell"), size: [number("sheet-width"), number("sheet-height")] };
      if ([thing.cell, ...thing.size].some(Number.isNaN)) { tell(_("Cell size, width and height must be numbers."), true); return; }
      if (await act({ do: "draw", map: draft().map, stroke: { on: "sheet", at: null, thing } })) { past.push("stroke"); if (await redraw()) window.field.showAll(); }
    } else if (what === "make-up") {
      const side = addsTo(), before = id("draft").value;
      if (await redraw("/people", { number: id("made-number").value, level: id("made-level").value, side })) { past.push(before); after(); }
    } else if (what === "open-file") id("scenario-file").click();
    else if (what === "afresh") { sessionStorage.removeItem(kept); sessionStorage.removeItem(`${kept} as`); location.href = location.pathname; }
  }

  async function opened(fields) {
    const before = id("draft").value;
    if (await redraw("/open", fields)) { past.push(before); after(); }
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-prepare]");
    if (button && !button.disabled) use(button);
  });

  document.addEventListener("input", (event) => { if (event.target.id === "who-find") find(); });

  document.addEventListener("change", async (event) => {
    const field = event.target;
    if (field.id === "see-as") { if (await redraw() && field.value) tell(_("You see the map as %(name)s.", { name: id("see-as").selectedOptions[0].textContent })); }
    else if (field.hasAttribute("data-rename-kept")) {
      const row = field.closest("[data-draft-id]");
      if (await act({ do: "name draft", draft: row.dataset.draftId, name: field.value })) { id(`rename-${row.dataset.draftId}`).open = false; if (await redraw()) tell(_("Renamed to %(name)s.", { name: field.value })); }
    } else if (field.closest("[data-structure].set")) structure(field.closest("[data-structure]"));
    else if (field.dataset.member || field.dataset.memberState || field.hasAttribute("data-member-adds")) member(field);
    else if (field.dataset.draft) {
      const value = field.type === "number" ? Math.min(1000, Math.max(1, Number(field.value) || 50)) : field.value;
      change((now) => { now[field.dataset.draft] = value; if (field.dataset.draft === "map") for (const one of Object.values(now.sides).flat()) one.at = null; });
    } else if (field.dataset.place) {
      const value = field.type === "checkbox" ? field.checked : field.type === "number" ? Number(field.value) : field.hasAttribute("data-text") ? field.value : JSON.parse(field.value);
      change((now) => {
        if (JSON.stringify(value) === JSON.stringify(JSON.parse(field.dataset.usual))) delete now.place[field.dataset.place];
        else now.place[field.dataset.place] = value;
      });
    } else if (field.dataset.placeList) {
      const ticked = [...document.querySelectorAll(`[data-place-list="${CSS.escape(field.dataset.placeList)}"]:checked`)].map((each) => each.value);
      change((now) => { if (ticked.length) now.place[field.dataset.placeList] = ticked; else delete now.place[field.dataset.placeList]; });
    } else if (field.id === "draft-more") {
      const known = new Set([...document.querySelectorAll("[data-place], [data-place-list]")].map((each) => each.dataset.place || each.dataset.placeList));
      change((now) => { for (const name of Object.keys(now.place)) if (!known.has(name)) delete now.place[name]; }, { more: field.value });
    } else if (field.hasAttribute("data-prepare-side")) {
      const row = field.closest("[data-key]");
      change((now) => {
        const places = row.dataset.places.split(" ").map(Number), list = now.sides[row.dataset.side];
        (now.sides[field.value] ||= []).push(...places.map((at) => list[at]));
        now.sides[row.dataset.side] = list.filter((_, at) => !places.includes(at));
      });
    } else if (field.hasAttribute("data-prepare-ready") && field.value) { await opened({ [field.dataset.prepareReady]: field.value }); field.value = ""; }
    else if (field.id === "scenario-file" && field.files.length) { await opened({ yaml: await field.files[0].text() }); id("scenario-file").value = ""; }
  });

  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, textarea, select");
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const counter = event.target.closest?.("#field [data-moves]");
    if (counter && (event.key === "Delete" || event.key === "Backspace")) {
      event.preventDefault();
      const name = counter.dataset.moves, [side, at] = JSON.parse(id("draft-who").value)[name];
      change((now) => now.sides[side].splice(at, 1)).then((done) => done && tell(_("%(name)s is removed from the map.", { name })));
    } else if (event.key === "Escape" && begins) { starts(null); areas(); }
    else if (event.key === "Escape" && inHand) { inHand = null; mark(); tell(""); }
    else if (!typing && event.key.toLowerCase() === "z") undo();
  });

  /* --- start --------------------------------------------------------------------------------------------------------- */

  page.classList.add("ready");
  if (page.dataset.draft) { sessionStorage.removeItem(kept); sessionStorage.removeItem(`${kept} as`); }
  else id("kept-as").value = sessionStorage.getItem(`${kept} as`) || "";
  const before = sessionStorage.getItem(kept);
  if (before && before !== id("draft").value) {
    const fresh = id("draft").value;
    try {
      const was = JSON.parse(before);
      if (page.dataset.map) was.map = page.dataset.map;
      id("draft").value = JSON.stringify(was);
      redraw().then((done) => { if (!done) { sessionStorage.removeItem(kept); id("draft").value = fresh; } });
    } catch { sessionStorage.removeItem(kept); }
  } else after();
  id("draft-form").addEventListener("submit", (event) => { if (event.submitter?.id === "begin") sessionStorage.removeItem(kept); });
})();
