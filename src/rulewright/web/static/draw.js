/* Drawing on the map, for the gamemaster: walls, doors, cover, terrain, hidden areas, lights. Each stroke is sent at once; the server
   checks it, and the map is redrawn from what it stored. */
"use strict";

(() => {
  const page = document.querySelector("[data-table], [data-field]");
  if (!page) return;
  const url = page.dataset.table || page.dataset.field;
  const easel = () => document.getElementById("easel");
  const told = (words, wrong) => {
    const line = document.getElementById("easel-told");
    if (line) { line.textContent = words; line.classList.toggle("wrong", Boolean(wrong)); }
  };
  const drawing = () => easel() && !easel().hidden;
  const snaps = () => document.getElementById("easel-snap")?.checked;

  let tool = null;        // its name; word and shape are what its options say
  let points = [];        // of an unfinished outline
  let held = null;        // where a drag started
  let chosen = null;      // { on, at } of the selected shape
  let moving = null;      // { handle, from }

  /* --- sending -------------------------------------------------------------------------------------------------------- */

  const done = [], undone = []; // strokes of this visit, for redo

  async function send(action, again = false) {
    const busy = document.getElementById("easel-busy");
    if (busy) { told(busy.textContent, true); return false; }
    const key = crypto.randomUUID ? crypto.randomUUID() : String(Math.random()).slice(2) + Date.now();
    try {
      const answer = await fetch(`/api${url}/act`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ action, key }) });
      const said = await answer.json();
      if (!answer.ok) { told(said.error || _("This cannot be drawn."), true); return false; }
      if (action.do === "draw") { if (!again) undone.length = 0; done.push(action); }
      if (window.boardDrawn) await window.boardDrawn(action.do === "draw");
      else await refresh();
      const saved = document.getElementById("map-saved");
      if (saved) saved.textContent = _("Saved %(time)s", { time: new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }) });
      mark();
      return true;
    } catch {
      told(_("Cannot reach the server. Try again."), true);
      return false;
    }
  }

  const target = () => JSON.parse(easel().dataset.target);
  const stroke = (on, thing, at = null) => send({ do: "draw", stroke: { on, at, thing }, ...target() });

  // Redraws a prepared map; the map of a running scene is redrawn by the table's event stream.
  async function refresh() {
    const sheet = page.dataset.sheet;
    if (!sheet) return;
    const answer = await fetch(sheet, { headers: { "HX-Request": "true" } });
    if (!answer.ok) return;
    const sent = new DOMParser().parseFromString(await answer.text(), "text/html"), fresh = sent.getElementById("map");
    const seen = document.getElementById("field")?.getAttribute("viewBox");
    const same = document.getElementById("field")?.dataset.home === fresh.querySelector("#field")?.dataset.home;
    Idiomorph.morph(document.getElementById("map"), fresh, { morphStyle: "outerHTML", callbacks: { beforeNodeMorphed: (old, next) => !window.fieldKeeps?.(old, next) } });
    for (const eye of document.querySelectorAll("#layers [data-layer]")) {
      const count = sent.querySelector(`#layers [data-layer="${eye.dataset.layer}"]`)?.closest("label").querySelector("small");
      if (count) eye.closest("label").querySelector("small").textContent = count.textContent;
      if (!eye.checked) document.getElementById("field-card").classList.add(`no-${eye.dataset.layer}`);
    }
    if (same && seen) document.getElementById("field").setAttribute("viewBox", seen);
    mark();
  }

  /* --- tools ---------------------------------------------------------------------------------------------------------- */

  const panel = () => easel().querySelector(`[data-options="${tool}"]`);
  const picked = () => { const list = panel()?.querySelector("[data-words]"); return list ? list.selectedOptions[0] : panel()?.querySelector("input:checked"); };
  const word = () => picked()?.dataset.word ?? picked()?.value ?? "";
  const shape = () => panel()?.querySelector("[data-shape][aria-pressed=true]")?.dataset.shape || "";

  function take(name) {
    const measured = tool === "measure";
    tool = name || null;
    points = [];
    choose(null);
    for (const button of easel().querySelectorAll("[data-tool]")) button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
    for (const options of easel().querySelectorAll("[data-options]")) options.hidden = options.dataset.options !== tool;
    if (measured !== (tool === "measure")) document.querySelector('[data-map="ruler"]')?.click();
    sketch();
    told(hint());
    mark();
  }

  const hint = () => ({
    wall: shape() === "box" ? _("Drag from corner to corner.") : _("Drag from end to end, or tap each point and press Enter."),
    door: _("Drag from end to end."),
    cover: shape() === "inside" ? _("Tap each corner, then press Enter.") : _("Drag a box, or tap a single place."),
    light: _("Drag from the lamp to the edge of its light."),
    label: _("Tap a place."),
  })[tool] || ({ inside: _("Tap each corner, then press Enter."), brush: _("Drag to paint."), box: _("Drag from corner to corner."), circle: _("Drag from the middle.") })[shape()] || "";

  // What the chosen word does in this game, with its rule.
  function effect() {
    const note = document.getElementById("easel-effect"), option = picked();
    note.hidden = !option?.dataset.does;
    if (note.hidden) return;
    const title = document.createElement("b"), link = document.createElement("a");
    title.textContent = word()[0].toUpperCase() + word().slice(1);
    [link.textContent, link.href] = [_("Read the rule"), `${easel().dataset.rules}/${encodeURIComponent(option.dataset.rule)}`];
    note.replaceChildren(title, document.createElement("br"), `${option.dataset.does} `, link);
  }

  const DRAWS = ["wall", "door", "area", "floor", "height", "cover", "light", "hidden", "label"];
  const picks = () => tool === "select" || tool === "erase";

  function mark() {
    const svg = document.getElementById("field");
    if (!svg || !easel()) return;
    document.querySelector('[data-easel="open"]')?.setAttribute("aria-pressed", String(Boolean(drawing())));
    svg.classList.toggle("draws", drawing() && DRAWS.includes(tool));
    svg.classList.toggle("holds", drawing() && picks());
    for (const handle of document.querySelectorAll("#drawn-things .handle")) {
      handle.classList.toggle("chosen", Boolean(chosen) && handle.dataset.on === chosen.on && Number(handle.dataset.at) === chosen.at);
      handle.setAttribute("tabindex", drawing() && picks() ? "0" : "-1");
    }
    easel().querySelector('[data-easel="remove"]').disabled = !chosen;
    easel().querySelector('[data-easel="door"]').disabled = !(chosen && thing()?.door);
    easel().querySelector('[data-easel="finish"]').hidden = points.length < 2;
    easel().querySelector('[data-easel="redo"]').disabled = !undone.length;
    const shows = { brush: shape() === "brush", name: DRAWS.includes(tool) || Boolean(chosen), points: DRAWS.includes(tool) };
    for (const part of easel().querySelectorAll("[data-when]")) part.hidden = !shows[part.dataset.when];
    effect();
  }

  const handleOf = (what) => what && document.getElementById(`handle-${what.on}-${what.at}`);
  const thing = () => { const handle = handleOf(chosen); return handle ? JSON.parse(handle.dataset.thing) : null; };

  function choose(handle) {
    chosen = handle ? { on: handle.dataset.on, at: Number(handle.dataset.at) } : null;
    const name = document.getElementById("easel-name");
    if (name) name.value = chosen ? thing().name || "" : "";
    if (chosen) told(handle.getAttribute("aria-label"));
    mark();
  }

  /* --- places --------------------------------------------------------------------------------------------------------- */

  function place(event) {
    const [x, y] = window.field.onPaper(event);
    if (window.field.hexed()) return window.field.spotAt(x, y);
    const step = !snaps() ? 0.01 : document.getElementById("field").dataset.grid === "squares" ? Number(document.getElementById("field").dataset.cell) / 2 : 0.5;
    const near = (value) => Math.round(Math.round(value / step) * step * 100) / 100;
    return [near(x), near(y)];
  }

  const far = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
  const cents = (value) => Math.round(value * 100) / 100;
  const paper = (spot) => window.field.paperOf(spot);

  function boxed(a, b) {
    const hex = window.field.hexed() ? 0.4 : 0;
    return [cents(Math.min(a[0], b[0]) - hex), cents(Math.min(a[1], b[1]) - hex), cents(Math.abs(a[0] - b[0]) + 2 * hex), cents(Math.abs(a[1] - b[1]) + 2 * hex)];
  }

  // The first unused name of its kind.
  function named(sort) {
    const own = document.getElementById("easel-name").value.trim();
    if (own) return own;
    const taken = new Set([...document.querySelectorAll("#drawn-things .handle")].map((each) => JSON.parse(each.dataset.thing).name));
    for (let number = 1; ; number++) if (!taken.has(`${sort} ${number}`)) return `${sort} ${number}`;
  }

  const kept = () => { const own = document.getElementById("easel-name").value.trim(); return own ? { name: own } : {}; };

  /* --- strokes to shapes --------------------------------------------------------------------------------------------- */

  // Makes a shape from the points of a drag or an outline; null if there are too few.
  function made(spots, outline) {
    const [first, last] = [spots[0], spots[spots.length - 1]];
    const wide = far(first, last) > 0.05;
    if (brushes()) return painted(spots);
    if (tool === "wall") {
      const about = word() === "all" ? {} : { stops: word() };
      if (shape() === "box" && spots.length === 2) {
        const corners = [first, [last[0], first[1]], last, [first[0], last[1]], first];
        return first[0] !== last[0] && first[1] !== last[1] ? ["walls", { along: corners, ...about, ...kept() }] : null;
      }
      return wide || spots.length > 2 ? ["walls", { along: spots, ...about, ...kept() }] : null;
    }
    if (tool === "door") return wide ? ["walls", { along: [first, last], door: word(), name: named("door") }] : null;
    if (tool === "light") return ["lights", { x: first[0], y: first[1], radius: wide ? cents(far(first, last)) : 4, light: word() }];
    if (tool === "label") return ["regions", { name: named(_("place")), circle: [first[0], first[1], 0.4] }];
    if (tool === "cover") {
      const about = { name: named("cover"), cover: word() };
      if (outline && spots.length > 2) return ["covers", { ...about, inside: spots }];
      const box = boxed(first, last);
      return box[2] > 0 && box[3] > 0 && (wide || spots.length > 1) ? ["covers", { ...about, box }] : ["covers", { ...about, x: first[0], y: first[1] }];
    }
    const about = region();
    if (outline) return spots.length > 2 ? ["regions", { ...about, inside: spots }] : null;
    if (shape() === "circle") return ["regions", { ...about, circle: [first[0], first[1], Math.max(cents(far(first, last)), window.field.hexed() ? 0.6 : 0.1)] }];
    const box = boxed(first, last);
    return box[2] > 0 && box[3] > 0 ? ["regions", { ...about, box }] : null;
  }

  // What an area of the tool in hand is, without its shape.
  function region() {
    if (tool === "floor") return { look: word(), ...kept() };
    if (tool === "height") return { level: Number(word()), ...kept() };
    if (tool === "area") return { terrain: word(), ...kept() };
    if (word() === "veiled") return { veiled: true, name: named("hidden") };
    return word() === "mark" ? { name: named(_("area")) } : { stops: word(), name: named(word() === "sight" ? _("smoke") : _("chasm")) };
  }

  async function finish(spots, outline) {
    const what = made(spots, outline);
    points = [];
    sketch();
    mark();
    if (!what) { told(_("This shape is too small."), true); return; }
    if (await stroke(...what)) { document.getElementById("easel-name").value = ""; told(""); }
  }

  /* --- brushes -------------------------------------------------------------------------------------------------------- */

  const AREAS = ["area", "floor", "height", "hidden"];
  const brushes = () => AREAS.includes(tool) && shape() === "brush";
  const cell = () => (window.field.hexed() ? 1 : document.getElementById("field").dataset.grid === "squares" ? Number(document.getElementById("field").dataset.cell) : 1);

  // A line as wide as the brush; on hexes, each hex on it and around it.
  function painted(spots) {
    const size = Number(document.getElementById("easel-size").value) || 1, hexed = window.field.hexed();
    const about = region();
    const reach = hexed ? (size - 1) / 2 + (size > 1 ? 0.3 : 0.2) : (size * cell()) / 2;
    if (spots.length < 2) return ["regions", { ...about, circle: [spots[0][0], spots[0][1], cents(reach)] }];
    return ["regions", { ...about, along: spots, width: hexed && size === 1 ? 0 : cents(2 * reach) }];
  }

  const straight = (a, b, c) => Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) < 1e-9 && far(a, c) >= far(a, b);

  // Adds a point to the brush stroke; merges points on a straight line.
  function brush(spot) {
    const last = points[points.length - 1];
    if (last && far(last, spot) < 0.4 * cell()) return;
    if (points.length > 1 && straight(points[points.length - 2], last, spot)) points.pop();
    if (points.length < 190) points.push(spot);
  }

  const fill = () => stroke("sheet", { terrain: word() });
  const outlines = () => (tool === "wall" && shape() !== "box") || ([...AREAS, "cover"].includes(tool) && shape() === "inside");

  /* --- the sketch under the finger ------------------------------------------------------------------------------------ */

  function sketch(now) {
    const layer = window.field?.hand();
    if (!layer) return;
    const spots = now ? [...points, now] : points;
    if (held && now && !points.length) return dragged(layer, held, now);
    if (brushes() && spots.length) {
      const broad = Math.max(0.3, Number(document.getElementById("easel-size").value) * cell() * 0.9);
      const way = spots.map(paper).map((spot) => spot.join(" ")).join("L");
      layer.replaceChildren(window.field.make("path", { class: "sketch brushed", "stroke-width": broad, d: `M${way}${spots.length < 2 ? "h0.01" : ""}` }));
      return;
    }
    if (!spots.length) { layer.replaceChildren(); return; }
    const drawn = spots.map(paper);
    layer.replaceChildren(window.field.make("path", { class: "sketch", d: "M" + drawn.map((spot) => spot.join(" ")).join("L") }), ...drawn.map(([x, y]) => window.field.make("circle", { class: "sketch", cx: x, cy: y, r: window.field.radius() / 4 })));
  }

  function dragged(layer, from, to) {
    const [a, b] = [paper(from), paper(to)];
    const line = tool === "door" || (tool === "wall" && shape() !== "box");
    const round = tool === "light" || (shape() === "circle" && AREAS.includes(tool));
    const fields = { x: Math.min(a[0], b[0]), y: Math.min(a[1], b[1]), width: Math.abs(a[0] - b[0]), height: Math.abs(a[1] - b[1]) };
    const words = window.field.make("text", { x: b[0], y: b[1] - window.field.radius(), "font-size": window.field.radius() });
    words.textContent = window.field.hexed() ? `${to[0]}, ${to[1]}` : line || round ? `${far(from, to).toFixed(1)} m` : `${fields.width.toFixed(1)} × ${fields.height.toFixed(1)} m`;
    const form = line ? window.field.make("path", { class: "sketch", d: `M${a[0]} ${a[1]}L${b[0]} ${b[1]}` })
      : round ? window.field.make("circle", { class: "sketch", cx: a[0], cy: a[1], r: far(a, b) }) : window.field.make("rect", { class: "sketch", ...fields });
    layer.replaceChildren(form, words);
  }

  /* --- pointers: handled before the map's own -------------------------------------------------------------------------- */

  document.addEventListener("pointerdown", (event) => {
    if (!drawing() || !tool || tool === "measure" || event.button > 0 || !event.isPrimary || !event.target.closest?.("#field")) return;
    if (picks()) {
      const handle = event.target.closest(".handle");
      choose(handle);
      if (!handle) return; // the map pans
      if (tool === "erase") { event.preventDefault(); event.stopPropagation(); use("remove"); return; }
      moving = { handle, from: place(event), to: null };
    } else { held = place(event); if (brushes()) { points = [held]; sketch(); } }
    if (document.activeElement?.matches("#easel input")) document.activeElement.blur(); // keys are the map's again
    document.getElementById("field").setPointerCapture(event.pointerId);
    event.preventDefault();
    event.stopPropagation();
  }, true);

  document.addEventListener("pointermove", (event) => {
    if (!event.isPrimary || !(held || moving || points.length) || !drawing()) return;
    if (moving) {
      moving.to = place(event);
      const [a, b] = [paper(moving.from), paper(moving.to)];
      moving.handle.setAttribute("transform", `translate(${b[0] - a[0]} ${b[1] - a[1]})`);
    } else if (held && brushes()) { brush(place(event)); sketch(); }
    else if (held || event.target.closest?.("#field")) sketch(place(event));
    if (held || moving) event.stopPropagation();
  }, true);

  document.addEventListener("pointerup", (event) => {
    if (!event.isPrimary || !(held || moving) || !drawing()) return;
    event.stopPropagation();
    const spot = place(event);
    if (moving) {
      const { handle, from, to } = moving;
      moving = null;
      handle.removeAttribute("transform");
      if (to && far(from, to) > 0.01) shift(handle, to[0] - from[0], to[1] - from[1]);
      return;
    }
    const from = held;
    held = null;
    if (brushes()) {
      brush(spot);
      const what = painted(points);
      points = [];
      sketch();
      stroke(...what).then((done) => done && told(""));
      return;
    }
    if (far(from, spot) > 0.05 && !points.length && shape() !== "inside") finish([from, spot]);
    else if (outlines()) { points.push(spot); sketch(); mark(); told(ngettext("%(n)s point. Enter or Finish ends the outline.", "%(n)s points. Enter or Finish ends the outline.", points.length)); }
    else if (far(from, spot) > 0.05) finish([from, spot]);
    else finish([spot]);
  }, true);

  document.addEventListener("pointercancel", () => { held = moving = null; sketch(); }, true);
  document.addEventListener("dblclick", (event) => { if (drawing() && points.length > 1 && event.target.closest?.("#field")) end(); });

  function end() {
    const spots = points.filter((spot, at) => !at || far(spot, points[at - 1]) > 0.01);
    finish(spots, true);
  }

  function shift(handle, x, y) {
    const moved = JSON.parse(handle.dataset.thing);
    const by = (point) => [cents(point[0] + x), cents(point[1] + y)];
    for (const field of ["along", "inside"]) if (moved[field]) moved[field] = moved[field].map(by);
    if (moved.box) moved.box = [...by(moved.box), moved.box[2], moved.box[3]];
    if (moved.circle) moved.circle = [...by(moved.circle), moved.circle[2]];
    if (moved.x !== undefined) [moved.x, moved.y] = by([moved.x, moved.y]);
    return stroke(handle.dataset.on, moved, Number(handle.dataset.at));
  }

  /* --- buttons and keys ----------------------------------------------------------------------------------------------- */

  const NEXT = { closed: "locked", locked: "open", open: "secret", secret: "closed" };
  const DOORS = { closed: _("closed"), locked: _("locked"), open: _("open"), secret: _("secret") };

  async function use(what) {
    if (what === "open") {
      const panel = easel();
      panel.hidden = !panel.hidden;
      take(panel.hidden ? null : "select");
    } else if (what === "remove" && chosen) {
      const { on, at } = chosen;
      choose(null);
      await stroke(on, null, at);
    } else if (what === "door" && chosen) {
      const now = thing();
      now.door = NEXT[now.door];
      if (await stroke(chosen.on, now, chosen.at)) told(_("%(name)s is now %(state)s.", { name: now.name, state: DOORS[now.door] }));
    } else if (what === "redo") {
      const action = undone.pop();
      if (action) await send(action, true);
    } else if (what === "fill") await fill();
    else if (what === "finish") end();
    else if (what === "write") {
      const spots = document.getElementById("easel-points").value.trim().split(/[;\s]+/).filter(Boolean).map((pair) => pair.split(",").map(Number));
      if (!DRAWS.includes(tool)) { told(_("Choose what to draw first."), true); return; }
      if (!spots.length || spots.some((spot) => spot.length !== 2 || spot.some(Number.isNaN))) { told(_("Enter points like 3,4 8,4."), true); return; }
      finish(spots, spots.length > 2);
    } else if (what === "undo") {
      const where = target();
      const sent = await send(where.map ? { do: "undo drawing", map: where.map } : { do: "undo", scene: where.scene });
      if (sent && done.length) undone.push(done.pop());
      mark();
    }
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-easel], #easel [data-tool], #easel [data-shape]");
    if (!button) return;
    if (button.dataset.easel) use(button.dataset.easel);
    else if (button.dataset.tool) take(button.dataset.tool);
    else {
      for (const each of panel().querySelectorAll("[data-shape]")) each.setAttribute("aria-pressed", String(each === button));
      points = [];
      sketch();
      told(hint());
      mark();
    }
  });

  document.addEventListener("change", async (event) => {
    if (event.target.closest?.(".ctx [data-options]")) { told(hint()); mark(); }
    if (event.target.id === "easel-name" && chosen) {
      const now = thing(), name = event.target.value.trim();
      if ((now.name || "") !== name && await stroke(chosen.on, { ...now, name }, chosen.at)) told(_("Renamed to %(name)s.", { name }));
    }
  });

  // Where the pointer is, and on what.
  document.addEventListener("pointermove", (event) => {
    const line = document.getElementById("map-where");
    if (!line || !event.target.closest?.("#field")) return;
    const [x, y] = place(event);
    const under = document.elementsFromPoint(event.clientX, event.clientY).find((each) => each.matches?.(".area"));
    const spot = window.field.hexed() ? _("column %(x)s, row %(y)s", { x, y }) : `${x}, ${y} m`;
    line.textContent = [document.querySelector(".field .scale")?.textContent.trim(), spot, under?.querySelector("title")?.textContent].filter(Boolean).join(" · ");
  });

  document.addEventListener("submit", (event) => {
    if (event.target.id !== "sheet-form") return;
    event.preventDefault();
    const fields = new FormData(event.target), number = (name) => Number(String(fields.get(name)).replace(",", "."));
    const laid = { grid: fields.get("grid"), cell: number("cell"), size: [number("width"), number("height")] };
    if (fields.has("terrain")) laid.terrain = fields.get("terrain");
    if (Object.values(laid).flat().some((each) => Number.isNaN(each))) { told(_("Cell size, width and height must be numbers."), true); return; }
    stroke("sheet", laid);
  });

  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input:not([type=radio], [type=checkbox], [type=range]), textarea, select");
    if (!easel()) return;
    if (drawing() && !typing && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      event.preventDefault();
      event.stopPropagation();
      use(event.shiftKey ? "redo" : "undo");
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const handle = event.target.closest?.(".handle");
    if (drawing() && handle && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); event.stopPropagation(); choose(handle); return; }
    if (drawing() && handle && event.key in STEPS) {
      event.preventDefault();
      event.stopPropagation();
      const cell = window.field.hexed() ? 1 : snaps() ? Number(document.getElementById("field").dataset.cell) / 2 : 0.1;
      shift(handle, STEPS[event.key][0] * cell, STEPS[event.key][1] * cell);
      return;
    }
    if (typing) return;
    if (drawing() && (event.key === "Delete" || event.key === "Backspace") && (chosen || handle)) {
      event.preventDefault();
      if (handle) choose(handle);
      use("remove");
    } else if (drawing() && event.key === "Enter" && points.length > 1) { event.preventDefault(); event.stopPropagation(); end(); }
    else if (drawing() && event.key === "Escape" && (points.length || held || chosen)) { points = []; held = null; choose(null); sketch(); told(""); }
    else if (drawing() && easel().querySelector(`[data-tool][data-key="${CSS.escape(event.key.toUpperCase())}"]`)) {
      event.stopPropagation();
      take(easel().querySelector(`[data-tool][data-key="${CSS.escape(event.key.toUpperCase())}"]`).dataset.tool);
    } else if ((event.key === "w" || event.key === "W") && document.querySelector('[data-easel="open"]') && !page.dataset.sheet) use("open");
  }, true);

  document.addEventListener("rulewright:drawn", () => { if (page.dataset.prepares && easel() && !tool) take("select"); else mark(); });
  for (const eye of document.querySelectorAll("#layers [data-layer]")) eye.checked = true;
  if (page.dataset.sheet || (page.dataset.prepares && easel())) take("select");
})();
