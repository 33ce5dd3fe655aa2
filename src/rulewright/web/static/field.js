/* The map: pan, zoom, dragging tokens, ruler. The server tells what a move to a place means. */
"use strict";

(() => {
  const table = document.querySelector("[data-table], [data-field]");
  if (!table) return;
  const url = table.dataset.table || table.dataset.field;
  const NS = "http://www.w3.org/2000/svg";
  const svg = () => document.getElementById("field");
  const hand = () => document.getElementById("field-hand");
  const toldHere = () => document.getElementById("field-told");

  /* --- parts that survive redrawing -------------------------------------------------------------------------------- */

  let waiting = [];
  let dragged = null;

  // A refresh during a drag waits for the drop.
  window.fieldHeld = () => (dragged ? new Promise((done) => waiting.push(done)) : null);
  window.fieldKeeps = (old, fresh) =>
    (old.id === "ground" && fresh.hasAttribute?.("data-kept")) ||
    (old.dataset?.keep !== undefined) ||
    (old.id === "within-reach" && old.dataset.forQuestion === fresh.dataset?.forQuestion && old.childElementCount > 0);

  function letGo() {
    dragged = null;
    for (const done of waiting.splice(0)) done();
  }

  /* --- pan and zoom --------------------------------------------------------------------------------------------------- */

  // While fingers move, a CSS transform shifts the drawing; the viewBox is set once they rest.
  let shown = null; // left, top, width, height
  let scene = "";
  const shift = { x: 0, y: 0, scale: 1 };
  let resting = 0;

  const FULL = 24; // pixels of a token's radius at most, before anybody zooms
  const AROUND = 3; // radii of free ground around the combatants

  // The first view: everybody, between the cards, the banner and the tools. It changes only when told to.
  function home() {
    const drawing = svg();
    const whole = drawing.dataset.home.split(" ").map(Number);
    const frame = drawing.getBoundingClientRect();
    if (!frame.width || !table.dataset.table) return whole;
    const phone = matchMedia("(max-width: 900px)").matches;
    const cards = phone ? 0 : document.getElementById("cards")?.offsetWidth || 0;
    const [left, top, right, bottom] = phone ? [6, 6, 56, 16] : [cards, 108, 62, 48];
    const wide = Math.max(60, frame.width - left - right), high = Math.max(30, frame.height - top - bottom);
    let [x, y, width, height] = whole;
    const strip = phone && document.body.dataset.map !== "open" && drawing.querySelector(".counter.now"); // only those whom the question is about
    const tokens = [...drawing.querySelectorAll(strip ? ".counter:is(.now, .aimed)" : ".counter")].map((each) => each.transform.baseVal.getItem(0).matrix);
    if (tokens.length > 1 || strip) {
      const edge = radius() * (strip ? 1.8 : AROUND), xs = tokens.map((each) => each.e), ys = tokens.map((each) => each.f);
      [x, y] = [Math.min(...xs) - edge, Math.min(...ys) - edge];
      [width, height] = [Math.max(...xs) + edge - x, Math.max(...ys) + edge - y];
    }
    const scale = Math.max(width / wide, height / high, radius() / FULL); // map units for each pixel
    const across = left + wide / 2, down = top + high / 2;
    return [x + width / 2 - across * scale, y + height / 2 - down * scale, frame.width * scale, frame.height * scale];
  }

  function box() {
    const drawing = svg();
    if (!shown || scene !== drawing.dataset.scene) {
      shown = home();
      scene = drawing.dataset.scene;
    }
    return shown;
  }

  function settle() {
    const drawing = svg();
    if (!drawing) return;
    if (shift.x || shift.y || shift.scale !== 1) {
      const [left, top, width, height] = box();
      const frame = drawing.getBoundingClientRect();
      const own = { width: frame.width / shift.scale, height: frame.height / shift.scale };
      const metres = Math.max(width / own.width, height / own.height);
      const middle = [left + width / 2, top + height / 2];
      const wide = own.width * metres, high = own.height * metres;
      const x = middle[0] - wide / 2 - (shift.x * metres) / shift.scale, y = middle[1] - high / 2 - (shift.y * metres) / shift.scale;
      shown = [x, y, wide / shift.scale, high / shift.scale];
      Object.assign(shift, { x: 0, y: 0, scale: 1 });
    }
    drawing.style.transform = "";
    drawing.setAttribute("viewBox", box().map((each) => each.toFixed(3)).join(" "));
    document.dispatchEvent(new CustomEvent("rulewright:settled"));
  }

  function shifted() {
    const drawing = svg();
    drawing.style.transformOrigin = "0 0";
    drawing.style.transform = `translate(${shift.x}px, ${shift.y}px) scale(${shift.scale})`;
  }

  function zoom(by, at) {
    const drawing = svg();
    const frame = drawing.parentElement.getBoundingClientRect();
    const x = at ? at[0] - frame.left : frame.width / 2, y = at ? at[1] - frame.top : frame.height / 2;
    const next = Math.min(12, Math.max(0.2, shift.scale * by));
    const real = next / shift.scale;
    shift.x = x - (x - shift.x) * real;
    shift.y = y - (y - shift.y) * real;
    shift.scale = next;
    shifted();
    clearTimeout(resting);
    resting = setTimeout(settle, 140);
  }

  function showAll() {
    Object.assign(shift, { x: 0, y: 0, scale: 1 });
    shown = home();
    settle();
  }

  document.addEventListener("wheel", (event) => {
    if (!event.target.closest?.("#field")) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 500), [event.clientX, event.clientY]);
  }, { passive: false });

  /* --- places --------------------------------------------------------------------------------------------------------- */

  const ROOT = Math.sqrt(3) / 2;

  function onPaper(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg().getScreenCTM().inverse());
    return [at.x, at.y];
  }

  const hexCentre = (column, row) => [(column - 1) * ROOT, row - 1 + (column % 2 === 0 ? 0.5 : 0)];

  // A position as the server expects it: metres, or column and row of a hex.
  function spotAt(x, y) {
    const drawing = svg();
    if (drawing.dataset.grid === "hexes" && drawing.dataset.metres && document.getElementById("ground")) {
      const near = Math.round(x / ROOT) + 1;
      let best = null;
      for (const column of [near - 1, near, near + 1]) {
        for (const row of [Math.floor(y), Math.floor(y) + 1, Math.floor(y) + 2]) {
          const [a, b] = hexCentre(column, row);
          const far = (a - x) ** 2 + (b - y) ** 2;
          if (!best || far < best[0]) best = [far, column, row];
        }
      }
      return [best[1], best[2]];
    }
    const cell = Number(drawing.dataset.cell);
    if (drawing.dataset.grid === "squares") return [(Math.floor(x / cell) + 0.5) * cell, (Math.floor(y / cell) + 0.5) * cell];
    return [Math.round(x * 10) / 10, Math.round(y * 10) / 10];
  }

  const hexed = () => svg().dataset.grid === "hexes" && document.getElementById("ground");
  const paperOf = (spot) => (hexed() ? hexCentre(spot[0], spot[1]) : spot);

  function make(name, fields) {
    const node = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(fields)) node.setAttribute(key, value);
    return node;
  }

  const radius = () => Number(document.querySelector("#field .counter .body")?.getAttribute("r") || 0.5);

  function tell(words, wrong) {
    const line = toldHere();
    if (!line) return;
    line.textContent = words;
    line.classList.toggle("wrong", Boolean(wrong));
  }

  /* --- moving a token --------------------------------------------------------------------------------------------- */

  let asking = false, wanted = null, meant = null;

  // Asks the server about a place, at most ten times a second, always for the latest one.
  async function ask(spot) {
    wanted = spot;
    if (asking) return;
    asking = true;
    try {
      while (wanted) {
        const now = wanted;
        wanted = null;
        const given = `@${now[0]},${now[1]}`;
        const answer = await fetch(`${url}/place?${svg().dataset.asks}&given=${encodeURIComponent(given)}`, { headers: { "HX-Request": "true" } });
        if (answer.ok) {
          meant = { spot: now, ...(await answer.json()) };
          if (dragged || keyed) show(meant);
        }
        await new Promise((done) => setTimeout(done, 100));
      }
    } finally { asking = false; }
  }

  function show(found) {
    const ghost = hand()?.querySelector(".ghost");
    if (ghost) ghost.classList.toggle("wrong", Boolean(found.why_not));
    tell(found.why_not || (found.tells || []).join(" · "), found.why_not);
    const label = hand()?.querySelector("text");
    if (label) label.textContent = found.why_not ? "" : (found.tells || [""])[0];
    hand()?.querySelector(".template")?.remove();
    if (!found.why_not && found.template?.length) {
      const d = found.template.map((loop) => "M" + loop.map((spot) => spot.join(" ")).join("L") + "Z").join("");
      hand().prepend(make("path", { class: "template", d }));
    }
  }

  function ghostAt(counter, spot) {
    const [x, y] = paperOf(spot);
    const from = [Number(counter.dataset.x), Number(counter.dataset.y)];
    const size = radius();
    hand().replaceChildren(
      make("path", { class: "route", d: `M${from[0]} ${from[1]}L${x} ${y}` }),
      make("circle", { class: "ghost", cx: x, cy: y, r: size }),
      make("text", { x, y: y - size * 1.6, "font-size": size }),
    );
    if (meant && meant.spot[0] === spot[0] && meant.spot[1] === spot[1]) show(meant);
  }

  async function goTo(spot) {
    const form = document.getElementById("go-there");
    if (!form) return;
    if (!meant || meant.spot[0] !== spot[0] || meant.spot[1] !== spot[1]) {
      const answer = await fetch(`${url}/place?${svg().dataset.asks}&given=${encodeURIComponent(`@${spot[0]},${spot[1]}`)}`, { headers: { "HX-Request": "true" } });
      if (answer.ok) meant = { spot, ...(await answer.json()) };
    }
    if (meant?.why_not) { tell(meant.why_not, true); return; }
    tell("");
    form.elements.given.value = meant?.given || `@${spot[0]},${spot[1]}`;
    form.requestSubmit();
  }

  function overrule(counter, spot) {
    if (window.boardMoves) { window.boardMoves(counter.dataset.moves, spot); return; }
    const fields = new FormData();
    if (counter.dataset.token) {
      fields.set("do", "place token");
      fields.set("token", counter.dataset.token);
      fields.set("name", counter.dataset.moves);
      fields.set("hidden", counter.classList.contains("unseen") ? "true" : "false");
    } else {
      fields.set("do", "move");
      fields.set("scene", svg().dataset.scene);
      fields.set("who", counter.dataset.moves);
    }
    fields.set("x", spot[0].toFixed(2));
    fields.set("y", spot[1].toFixed(2));
    window.tableActs(fields);
  }

  function drop(counter, spot) {
    hand()?.replaceChildren();
    if (counter.hasAttribute("data-goes")) goTo(spot);
    else overrule(counter, spot);
  }

  /* --- fingers -------------------------------------------------------------------------------------------------------- */

  const fingers = new Map();
  let pinch = 0;
  let measuring = null;
  const rulerOn = () => document.querySelector('[data-map="ruler"]')?.getAttribute("aria-pressed") === "true";

  document.addEventListener("pointerdown", (event) => {
    const drawing = event.target.closest?.("#field");
    if (!drawing || event.button > 0) return;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    drawing.setPointerCapture(event.pointerId);
    if (fingers.size === 2) { pinch = apart(); cancel(); return; }
    if (rulerOn()) { measuring = onPaper(event); return; }
    const counter = event.target.closest("[data-goes], [data-moves]");
    if (counter && counter.id !== "field") {
      settle();
      dragged = { counter, from: [event.clientX, event.clientY], spot: null };
      counter.focus({ preventScroll: true });
      event.preventDefault();
    } else drawing.classList.add("held");
  });

  document.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    const before = fingers.get(event.pointerId);
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size === 2) {
      const now = apart();
      if (pinch) zoom(now / pinch, between());
      pinch = now;
    } else if (measuring) ruler(measuring, onPaper(event));
    else if (dragged) {
      if (!dragged.spot && Math.hypot(event.clientX - dragged.from[0], event.clientY - dragged.from[1]) < 5) return;
      dragged.spot = spotAt(...onPaper(event));
      ghostAt(dragged.counter, dragged.spot);
      if (dragged.counter.hasAttribute("data-goes")) ask(dragged.spot);
    } else if (svg()?.classList.contains("held")) {
      shift.x += event.clientX - before[0];
      shift.y += event.clientY - before[1];
      shifted();
    }
  });

  function ended(event) {
    if (!fingers.delete(event.pointerId)) return;
    pinch = 0;
    svg()?.classList.remove("held");
    measuring = null;
    if (dragged) {
      const { counter, spot } = dragged;
      letGo();
      if (spot && event.type === "pointerup") drop(counter, spot);
      else cancel();
    } else if (!rulerOn()) settle();
  }
  document.addEventListener("pointerup", ended);
  document.addEventListener("pointercancel", ended);

  const places = () => [...fingers.values()];
  const apart = () => { const [a, b] = places(); return Math.hypot(a[0] - b[0], a[1] - b[1]); };
  const between = () => { const [a, b] = places(); return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]; };

  function cancel() {
    letGo();
    keyed = null;
    hand()?.replaceChildren();
    tell("");
  }

  function ruler(from, to) {
    const metres = Number(svg().dataset.metres);
    const far = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const words = hexed() ? hexWords(from, to, metres) : `${far.toFixed(1)} m`;
    hand().replaceChildren(
      make("path", { class: "ruler", d: `M${from[0]} ${from[1]}L${to[0]} ${to[1]}` }),
      make("text", { x: (from[0] + to[0]) / 2, y: (from[1] + to[1]) / 2 - radius() * 0.5, "font-size": radius() }),
    );
    hand().querySelector("text").textContent = words;
    tell(words);
  }

  function hexWords(from, to, metres) {
    const axial = ([column, row]) => { const q = column - 1; return [q, row - 1 - (q - (q & 1)) / 2]; };
    const [a, b] = [axial(spotAt(...from)), axial(spotAt(...to))];
    const q = b[0] - a[0], r = b[1] - a[1];
    const steps = Math.max(Math.abs(q), Math.abs(r), Math.abs(q + r));
    const hexes = ngettext("%(n)s hex", "%(n)s hexes", steps);
    return `${hexes}, ${steps * metres} m`;
  }

  /* --- keys and tools ------------------------------------------------------------------------------------------------- */

  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  let keyed = null;

  document.addEventListener("keydown", (event) => {
    const counter = event.target.closest?.("#field [data-goes], #field [data-moves]");
    if (counter && event.key in STEPS && !event.shiftKey) {
      event.preventDefault();
      const now = keyed?.counter === counter ? keyed.spot : spotAt(Number(counter.dataset.x), Number(counter.dataset.y));
      const [across, down] = STEPS[event.key];
      const cell = hexed() ? 1 : Number(svg().dataset.cell);
      keyed = { counter, spot: [Math.round((now[0] + across * cell) * 100) / 100, Math.round((now[1] + down * cell) * 100) / 100] };
      ghostAt(counter, keyed.spot);
      if (counter.hasAttribute("data-goes")) ask(keyed.spot);
      else {
        clearTimeout(counter.waiting);
        counter.waiting = setTimeout(() => { const { spot } = keyed; keyed = null; drop(counter, spot); }, 500);
      }
      return;
    }
    if (counter && keyed && event.key === "Enter") { event.preventDefault(); event.stopImmediatePropagation(); const { spot } = keyed; keyed = null; drop(counter, spot); return; }
    if (keyed && event.key === "Escape") { event.stopImmediatePropagation(); cancel(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || !svg() || event.target.matches("input, textarea, select")) return;
    if (event.shiftKey && event.key in STEPS && event.target.closest?.("#field, #field-card")) {
      event.preventDefault();
      const [across, down] = STEPS[event.key];
      shift.x -= across * 60; shift.y -= down * 60;
      settle();
      return;
    }
    const what = { "+": "nearer", "-": "farther", "0": "all", l: "ruler", L: "ruler" }[event.key];
    if (what) { event.preventDefault(); use(what); }
  });

  function use(what) {
    if (what === "nearer") zoom(1.4);
    else if (what === "farther") zoom(1 / 1.4);
    else if (what === "all") showAll();
    else if (what === "ruler") {
      const button = document.querySelector('[data-map="ruler"]');
      const on = !rulerOn();
      button.setAttribute("aria-pressed", String(on));
      svg().classList.toggle("measures", on);
      if (!on) cancel();
    }
  }

  document.addEventListener("click", (event) => {
    const tool = event.target.closest?.("[data-map]");
    if (tool) use(tool.dataset.map);
  });
  document.addEventListener("change", (event) => {
    const layer = event.target.dataset?.layer;
    if (layer) document.getElementById("field-card").classList.toggle(`no-${layer}`, !event.target.checked);
  });

  /* --- reachable places ----------------------------------------------------------------------------------------------- */

  async function reach() {
    const drawing = svg(), slot = document.getElementById("within-reach");
    if (!drawing || !slot) return;
    drawing.setAttribute("viewBox", box().map((each) => each.toFixed(3)).join(" "));
    const asked = drawing.dataset.asks;
    if (!asked) { slot.replaceChildren(); return; }
    if (slot.childElementCount && slot.dataset.drawn === slot.dataset.forQuestion) return;
    const mark = slot.dataset.forQuestion;
    try {
      const answer = await fetch(`${url}/reach?${asked}`, { headers: { "HX-Request": "true" } });
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
      if (document.getElementById("within-reach")?.dataset.forQuestion !== mark) return; // the question has changed
      slot.replaceChildren(...[...fresh.documentElement.children].map((each) => document.importNode(each, true)));
      slot.dataset.drawn = mark;
    } catch { /* retried with the next change */ }
  }

  /* --- the drawing tools load with their first use -------------------------------------------------------------------------- */

  let tools = false;

  function loadTools(event) {
    const button = document.querySelector("[data-easel=open][data-script]");
    const wanted = event.type === "click" ? event.target.closest?.("[data-easel=open]") : event.key?.toLowerCase() === "w" && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.matches("input, textarea, select");
    if (!button || tools || !wanted) return;
    tools = true;
    const script = document.createElement("script");
    script.src = button.dataset.script;
    script.onload = () => document.querySelector("[data-easel=open]")?.click();
    document.head.append(script);
  }
  document.addEventListener("click", loadTools);
  document.addEventListener("keydown", loadTools);

  /* --- the paths of units that moved ------------------------------------------------------------------------------------ */

  let stood = new Map(), stoodIn = "";

  // A dotted line from where a unit stood to where it stands, until the next one moves.
  function trails() {
    const group = document.getElementById("field-trails"), drawing = svg();
    if (!group || !drawing) return;
    const now = new Map([...drawing.querySelectorAll(".counter")].map((each) => { const { e, f } = each.transform.baseVal.getItem(0).matrix; return [each.id, [e, f]]; }));
    const moved = stoodIn === drawing.dataset.scene ? [...now].filter(([id, [x, y]]) => stood.has(id) && Math.hypot(stood.get(id)[0] - x, stood.get(id)[1] - y) > radius() / 4) : [];
    if (moved.length && moved.length < 8) {
      group.replaceChildren(...moved.map(([id, [x, y]]) => make("path", {
        class: `trail ${[...document.getElementById(id).classList].find((name) => name.startsWith("side")) || ""}`, d: `M${stood.get(id)[0]} ${stood.get(id)[1]}L${x} ${y}`,
      })));
    }
    if (stoodIn !== drawing.dataset.scene) group.replaceChildren();
    [stood, stoodIn] = [now, drawing.dataset.scene];
  }
  document.addEventListener("rulewright:drawn", trails);
  trails();

  // For draw.js and prepare.js.
  window.field = { onPaper, spotAt, paperOf, hexed, make, hand, radius, settle, showAll };

  document.addEventListener("rulewright:drawn", reach);
  reach();
})();
