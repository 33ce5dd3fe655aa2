/* The live table: receives changes, redraws, and sends actions. The map is in field.js, the question bar in bar.js. */
"use strict";

(() => {
  const table = document.querySelector("[data-table]");
  if (!table) return;
  const url = table.dataset.table;

  /* --- redrawing ----------------------------------------------------------------------------------------------------- */

  let heard = 0; // events of the stream
  let drawing = null;
  let again = false;
  let whole = false; // whether to redraw the log too

  // Resolves when the page is up to date, or the server could not be reached.
  function refresh(logToo = true) {
    again = true;
    whole ||= logToo;
    drawing ??= (async () => {
      while (again) { again = false; const all = whole; whole = false; await draw(all); }
      drawing = null;
    })();
    return drawing;
  }

  async function draw(all) {
    await window.fieldHeld?.();
    try {
      const headers = { "HX-Request": "true", "X-Ground": document.getElementById("ground")?.dataset.mark || "", "X-Log": all ? "" : "kept" };
      const answer = await fetch(`${url}/body${location.search}`, { headers });
      if (answer.status === 404 || answer.status === 403) { location.href = "/"; return; }
      if (answer.status === 503) { setTimeout(() => refresh(all), pause(answer)); return; }
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      onThisClock(fresh);
      const focus = document.activeElement && document.activeElement.id;
      const log = document.getElementById("log-side");
      const end = atEnd(log);
      const before = document.getElementById("question")?.querySelector("[data-question]")?.dataset.moment;
      for (const part of fresh.querySelectorAll("[data-live]")) {
        const here = document.getElementById(part.id);
        if (!here) continue;
        // Calculated chances stay while the same question is open at the same moment of the scene.
        for (const slot of here.querySelectorAll("[data-for]")) {
          const moment = slot.closest("[data-weighs]").dataset.weighs;
          const same = part.querySelector(`[data-weighs="${CSS.escape(moment)}"] [data-for="${CSS.escape(slot.dataset.for)}"]`);
          if (same && slot.childElementCount) same.replaceChildren(...[...slot.children].map((child) => child.cloneNode(true)));
        }
        Idiomorph.morph(here, part, {
          morphStyle: "outerHTML",
          ignoreActiveValue: document.activeElement.matches("input, textarea, select"),
          // Keeps what bar.js built for the same question, and what field.js keeps.
          callbacks: {
            beforeNodeMorphed: (old, fresh) => !(old.dataset?.bar && old.dataset.bar === fresh.dataset?.bar) && !window.fieldKeeps?.(old, fresh),
            beforeAttributeUpdated: (name, node) => !(name === "viewBox" && node.id === "field") && !(name === "open" && node.matches("details.more, details.hand, details.change")),
          },
        });
      }
      story();
      if (log && end) toEnd(log);
      const now = document.getElementById("question")?.querySelector("[data-question]")?.dataset.moment;
      if (now !== before) {
        asksSince = Date.now();
        // On a narrow page a new question scrolls into view.
        if (now && !document.body.classList.contains("tabbed") && matchMedia("(max-width: 900px)").matches && !document.activeElement.matches("input, textarea")) document.getElementById("question").scrollIntoView({ block: "start" });
      }
      document.dispatchEvent(new CustomEvent("rulewright:drawn"));
      if (focus && !document.getElementById(focus)) {
        const next = [...document.querySelectorAll("#question button")].find((button) => button.offsetParent);
        if (next) next.focus({ preventScroll: true });
      }
      weigh();
    } catch {
      /* the event stream reports when the server is back */
    }
  }

  // Delay before a retry on a busy server, in milliseconds, randomized.
  const pause = (answer) => 1000 * (Number(answer.headers.get("retry-after")) || 1) * (0.5 + Math.random());

  // The log scrolls to its end, but not while the pointer is over it.
  let owed = false;
  const atEnd = (side) => !side || owed || side.scrollHeight - side.scrollTop - side.clientHeight < 60;
  const pointed = matchMedia("(hover: hover)");

  function toEnd(side) {
    owed = pointed.matches && side.matches(":hover");
    if (!owed) side.scrollTop = side.scrollHeight;
  }
  document.getElementById("log-side")?.addEventListener("pointerleave", (event) => {
    if (owed) { owed = false; event.currentTarget.scrollTop = event.currentTarget.scrollHeight; }
  });

  // Appends new log entries from the stream; existing entries stay.
  function append(html) {
    const list = document.getElementById("log");
    const side = document.getElementById("log-side");
    if (!list) return;
    const end = atEnd(side);
    const fresh = new DOMParser().parseFromString(`<ol>${html}</ol>`, "text/html");
    onThisClock(fresh);
    for (const entry of [...fresh.querySelectorAll("ol > li")]) {
      if (document.getElementById(entry.id)) continue;
      const time = entry.querySelector("time.when");
      const last = [...list.querySelectorAll("time.when")].pop();
      if (time && last && time.textContent === last.textContent) time.remove();
      list.append(entry);
    }
    while (list.childElementCount > 200) list.firstElementChild.remove();
    document.dispatchEvent(new CustomEvent("rulewright:drawn"));
    if (end) toEnd(side);
  }

  // Shows times in the reader's time zone.
  function onThisClock(root) {
    for (const time of root.querySelectorAll("time[datetime]")) {
      const at = new Date(time.dateTime);
      time.textContent = at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
      time.title = at.toLocaleString();
    }
  }

  /* --- the story: one entry for each action, with its dice; steps and bookkeeping are folded -------------------------------- */

  let filter = "";

  function button(entry, className, words, lines) {
    const here = entry.querySelector(`:scope > .${className}`) || document.createElement("button");
    here.type = "button";
    here.className = `link ${className}`;
    here.textContent = words;
    here.setAttribute("aria-expanded", String(lines[0].classList.contains("shown")));
    here.onclick = () => {
      const open = here.getAttribute("aria-expanded") !== "true";
      here.setAttribute("aria-expanded", String(open));
      for (const line of lines) line.classList.toggle("shown", open);
    };
    if (!here.isConnected) entry.append(here);
  }

  // Shows the dice of the steps, and its own, with the result.
  function join(entry, steps) {
    const place = entry.querySelector(".told:not(.decided) > p:not(.fell)");
    if (!place || entry.querySelector(".joined")) return;
    const rolls = [...steps, entry].filter((each) => !/initiative/i.test(each.textContent)).flatMap((each) => [...each.querySelectorAll(".fell:has(.dice)")]);
    if (!rolls.length) return;
    const several = new Set(rolls.map((roll) => roll.dataset.by)).size > 1;
    const line = document.createElement("span");
    line.className = "joined";
    for (const roll of rolls) {
      if (several && roll.dataset.by) {
        const roller = document.createElement("small");
        roller.className = "soft";
        roller.textContent = roll.dataset.by;
        line.append(roller);
      }
      line.append(...[...roll.querySelectorAll(":scope > :is(.dice, .tag)")].map((each) => each.cloneNode(true)));
    }
    place.append(line);
  }

  function story() {
    const list = document.getElementById("log");
    if (!list) return;
    list.classList.add("folded");
    list.dataset.filter = filter;
    for (const each of document.querySelectorAll(".filters")) each.hidden = false;
    for (const each of document.querySelectorAll(".filters [data-filter]")) each.setAttribute("aria-pressed", String(each.dataset.filter === filter));
    const sides = [...document.querySelectorAll("#cards .fighter")].map((card) => [card.dataset.who, [...card.classList].find((name) => name.startsWith("side"))]);
    let steps = [], changes = [];
    for (const entry of list.children) {
      const kind = entry.dataset.kind;
      entry.classList.remove("latest");
      if (kind === "step") steps.push(entry);
      else if (kind === "event") {
        join(entry, steps);
        if (steps.length) button(entry, "steps", ngettext("%(n)s step", "%(n)s steps", steps.length), steps);
        const words = (entry.querySelector(".told:not(.decided) > p:not(.fell)")?.textContent || "").trim();
        const side = sides.find(([who]) => words.startsWith(who))?.[1];
        if (side) entry.classList.add(side);
        steps = [];
      }
      if (kind === "change") changes.push(entry);
      if (kind !== "change" || entry === list.lastElementChild) {
        const last = changes.pop();
        for (const each of changes) each.classList.add("folds");
        if (last && changes.length) button(last, "steps", ngettext("%(n)s earlier change", "%(n)s earlier changes", changes.length), changes);
        changes = [];
      }
    }
    steps.at(-1)?.classList.add("latest"); // not resolved yet
  }

  document.addEventListener("click", (event) => {
    const chosen = event.target.closest?.(".filters [data-filter]");
    if (!chosen) return;
    filter = chosen.dataset.filter;
    story();
    const side = document.getElementById("log-side");
    side.scrollTop = side.scrollHeight;
  });
  document.addEventListener("rulewright:drawn", story);

  /* --- chances beside the options ------------------------------------------------------------------------------------- */

  const counting = new Map(); // addresses being fetched, with their AbortController
  const counted = new Set(); // addresses whose chances arrived
  const nothing = new Set(); // addresses without chances
  window.chancesCounted = (address) => counted.has(address);

  const asking = (address) => `[data-weighs="${CSS.escape(address)}"]`;

  // Fetches missing chances. Cancels fetches for closed questions; retries when the server is busy.
  async function weigh() {
    for (const [address, ending] of counting) {
      if (document.querySelector(asking(address))) continue;
      counting.delete(address);
      ending.abort();
    }
    for (const form of document.querySelectorAll("[data-weighs]")) {
      const address = form.dataset.weighs;
      if (!form.isConnected || counting.has(address)) continue;
      if (counted.has(address) && (form.querySelector("[data-for] > *") || nothing.has(address))) continue;
      const ending = new AbortController();
      counting.set(address, ending);
      try {
        const answer = await fetch(address, { headers: { "HX-Request": "true" }, signal: ending.signal });
        if (answer.status === 503) setTimeout(weigh, pause(answer));
        if (!answer.ok) continue;
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
        if (!fresh.querySelector("[data-key]")) nothing.add(address);
        for (const found of fresh.querySelectorAll("[data-key]")) {
          for (const slot of document.querySelectorAll(`${asking(address)} [data-for="${CSS.escape(found.dataset.key)}"]`)) {
            slot.dataset.hoped = found.dataset.hoped;
            slot.replaceChildren(...[...found.children].map((child) => child.cloneNode(true)));
          }
        }
        counted.add(address);
        document.dispatchEvent(new CustomEvent("rulewright:weighed"));
      } catch { /* aborted, or retried with the next change */ } finally {
        if (counting.get(address) === ending) counting.delete(address);
      }
    }
  }

  /* --- details loaded when opened ----------------------------------------------------------------------------------------- */

  async function fill() {
    for (const place of document.querySelectorAll("details[open] > [data-loads]")) {
      if (place.childElementCount || place.dataset.loading) continue;
      place.dataset.loading = "true";
      try {
        const answer = await fetch(place.dataset.loads, { headers: { "HX-Request": "true" } });
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
        place.replaceChildren(...fresh.body.children);
        window.htmx?.process(place);
      } catch { /* retried when opened again */ }
      delete place.dataset.loading;
    }
  }
  document.addEventListener("toggle", (event) => { if (event.target.open) fill(); }, true);
  document.addEventListener("rulewright:drawn", fill);
  fill();

  /* --- actions ------------------------------------------------------------------------------------------------------- */

  function say(sentence) {
    const notice = document.getElementById("notice");
    const line = document.createElement("p");
    line.className = "refusal";
    line.textContent = sentence;
    notice.replaceChildren(...(sentence ? [line] : []));
  }

  window.tableActs = act;

  // All attempts of one action share a key, so the server executes it once.
  async function act(fields) {
    fields.set("key", crypto.randomUUID ? crypto.randomUUID() : String(Math.random()).slice(2) + Date.now());
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await fetch(`${url}/act`, { method: "POST", body: fields, headers: { "HX-Request": "true" } });
        if (answer.ok) {
          say("");
          // The stream delivers the result; otherwise refresh.
          const before = heard;
          setTimeout(() => { if (heard === before) refresh(); }, 1500);
          return true;
        }
        if (answer.status === 503 && attempt < 4) {
          await new Promise((done) => setTimeout(done, pause(answer)));
          continue;
        }
        {
          const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
          say(fresh.body.textContent.trim());
        }
        refresh();
        return false;
      } catch {
        if (attempt >= 4) { say(_("Cannot reach the server. Nothing was lost. Try again in a moment.")); return false; }
        await new Promise((done) => setTimeout(done, 400 * 2 ** attempt));
      }
    }
  }

  // Ignores a double tap: it would answer the next question with the same words.
  const answered = new Set();
  const busy = new WeakSet();
  const BREATH = 300; // milliseconds in which a tap still belongs to the previous question
  let asksSince = 0;
  window.justAsked = () => Date.now() - asksSince < BREATH;

  function askedBy(form) {
    const asked = form.closest("[data-question]");
    return asked && `${asked.dataset.question} ${asked.dataset.moment} ${form.elements.at.value}`;
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("form[data-act]");
    if (!form) return;
    event.preventDefault();
    const asked = askedBy(form);
    if (asked ? answered.has(asked) || window.justAsked() : busy.has(form)) return;
    const fields = new FormData(form);
    if (event.submitter && event.submitter.name) fields.set(event.submitter.name, event.submitter.value);
    busy.add(form);
    if (asked) answered.add(asked);
    form.setAttribute("aria-busy", "true");
    try {
      const done = await act(fields);
      if (!done) answered.delete(asked);
      if (done && form.hasAttribute("data-empties")) form.reset(); // the next message goes to everyone
      const open = form.closest("details");
      if (done && open && !open.closest(".party-panel")) open.open = false;
    } finally {
      busy.delete(form);
      form.removeAttribute("aria-busy");
    }
  });

  /* --- chat recipients ------------------------------------------------------------------------------------------------ */

  // Updates the recipients when members join or leave; the selected one stays.
  function listeners() {
    const select = document.querySelector(".say select[name=to]");
    const here = new Map([...(document.getElementById("listeners")?.options || [])].map((each) => [each.value, each.textContent]));
    if (!select) return;
    for (const option of [...select.options].slice(1)) {
      if (here.has(option.value)) option.textContent = here.get(option.value);
      else if (!option.selected) option.remove();
      here.delete(option.value);
    }
    for (const [value, words] of here) select.add(new Option(words, value));
  }
  document.addEventListener("rulewright:drawn", listeners);

  /* --- event stream ----------------------------------------------------------------------------------------------------- */

  let mark = table.dataset.mark;
  let look = table.dataset.look;
  const stream = new EventSource(`${url}/live?after=${mark}`);
  stream.addEventListener("changed", (event) => {
    document.querySelector(".away")?.remove();
    const told = JSON.parse(event.data);
    heard++;
    if (told.mark === mark && told.look === look) return;
    const reading = new URLSearchParams(location.search).has("before");
    const more = told.look !== look;
    mark = told.mark;
    look = told.look;
    if (told.redraw || reading) { refresh(); return; }
    if (told.log) append(told.log);
    if (more) refresh(false);
  });
  stream.addEventListener("error", () => {
    if (document.querySelector(".away")) return;
    const line = document.createElement("p");
    line.className = "away";
    line.setAttribute("role", "status");
    line.textContent = _("Connection lost. Reconnecting… Nothing is lost.");
    document.body.append(line);
  });
  stream.addEventListener("open", () => document.querySelector(".away")?.remove());

  onThisClock(document);
  story();
  const log = document.getElementById("log-side");
  if (log) log.scrollTop = log.scrollHeight;
  weigh();
})();

document.addEventListener("focusin", (event) => {
  if (event.target.matches?.("[data-selects]")) event.target.select();
});
