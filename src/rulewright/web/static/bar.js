/* The question bar: verbs, targets and modes built from the options of a question, with keys and touches on tokens and cards.
   Each choice is one of the options in the form beside it, which also works without this script. */
"use strict";

(() => {
  const table = document.querySelector("[data-table]");
  if (!table) return;

  const VERBS = { move: "M", attack: "A", special: "S", guard: "G", help: "H", gear: "E", other: "O" };
  const AT_FIRST_SIGHT = 12;
  const PASSING = ["move", "gear", "other"]; // side actions
  const chosen = new Map(); // by question: the selected option
  let open = null; // the current bar: options, state, form

  function make(name, className, text) {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    if (name === "kbd") element.ariaHidden = "true";
    return element;
  }

  const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
  const memory = (bar) => `${table.dataset.table} ${bar.who} ${bar.topic}`;

  // The last answer to the same question.
  function remembered(bar) {
    try { return JSON.parse(sessionStorage.getItem(memory(bar)) || "null"); } catch { return null; }
  }

  /* --- options ------------------------------------------------------------------------------------------------------ */

  function read(form) {
    return [...form.querySelectorAll(".option")].map((button, at) => ({
      at, button, key: button.value, label: button.querySelector("b").textContent, note: button.querySelector(":scope > small")?.textContent || "",
      verb: button.dataset.verb, target: button.dataset.target, manner: button.dataset.manner.split("|").filter(Boolean),
    }));
  }

  const distinct = (values) => [...new Set(values)];
  const within = (bar, verb, target) => bar.options.filter((each) => each.verb === verb && (target === undefined || each.target === target));

  // The option whose modes match the wanted ones best, with the fewest others.
  function nearest(options, wanted) {
    const rank = (each) => {
      const common = each.manner.filter((part) => wanted.includes(part)).length;
      return [common * 2 - each.manner.length, -each.at];
    };
    return options.reduce((best, each) => {
      if (!best) return each;
      const [one, other] = [rank(each), rank(best)];
      return one[0] > other[0] || (one[0] === other[0] && one[1] > other[1]) ? each : best;
    }, null);
  }

  // The first selection: the last answer unless it was a side action, else the default (`beginning` of play/option_groups.py).
  function beginning(bar) {
    const verbs = distinct(bar.options.map((each) => each.verb));
    const last = remembered(bar);
    const again = last && bar.options.find((each) => each.key === last.key);
    if (again && (!PASSING.includes(again.verb) || verbs.length === 1)) return again;
    const usual = bar.options.find((each) => each.key === bar.form.dataset.usual);
    if (usual) return usual;
    const verb = ["attack", "say", "move"].find((each) => verbs.includes(each)) || verbs[0];
    const targets = distinct(within(bar, verb).map((each) => each.target));
    const target = last && targets.includes(last.target) ? last.target : targets[0];
    return nearest(within(bar, verb, target), last && last.verb === verb ? last.manner : []);
  }

  function set(bar, option) {
    if (!option) return;
    bar.option = option;
    chosen.set(bar.id, option.key);
    draw(bar);
    document.dispatchEvent(new CustomEvent("rulewright:aimed", { detail: { who: bar.who, target: option.target, verb: option.verb, key: option.key } }));
  }

  function setVerb(bar, verb) {
    const now = bar.option;
    const targets = distinct(within(bar, verb).map((each) => each.target));
    const target = targets.includes(now.target) ? now.target : targets[0];
    set(bar, nearest(within(bar, verb, target), []));
  }

  function setTarget(bar, target) {
    const here = within(bar, bar.option.verb, target);
    if (here.length) set(bar, nearest(here, bar.option.manner));
    else {
      const anywhere = bar.options.filter((each) => each.target === target);
      if (anywhere.length) set(bar, anywhere[0]);
    }
  }

  function toggle(bar, part) {
    const { verb, target, manner } = bar.option;
    const options = within(bar, verb, target).filter((each) => each.manner[0] === manner[0]);
    const on = !manner.includes(part);
    const having = options.filter((each) => each.manner.includes(part) === on);
    if (!having.length) return;
    set(bar, nearest(having, on ? [...manner, part] : manner.filter((each) => each !== part)));
  }

  /* --- drawing -------------------------------------------------------------------------------------------------------- */

  function slot(option) { return option.button.querySelector(".comes-of"); }
  function large(option) { return slot(option)?.querySelector(".chance b")?.textContent || ""; }

  // Reuses an existing button so that a finger on it is not lost.
  function control(bar, part, className, act) {
    const button = bar.controls.get(part) || make("button");
    bar.controls.set(part, button);
    button.type = "button";
    button.className = className;
    button.dataset.part = part;
    button.removeAttribute("title");
    button.replaceChildren();
    button.onclick = act;
    return button;
  }

  function chip(bar, part, text, on, act, extra, key) {
    const button = control(bar, part, "chip", act);
    if (key) button.append(make("kbd", "", key));
    button.append(capital(text));
    if (extra) button.append(" ", make("small", "", extra));
    button.setAttribute("aria-pressed", on ? "true" : "false");
    return button;
  }

  // How many chips each row shows when space is limited: one per row in turn (`rooms` of play/option_groups.py).
  function rooms(counts, most) {
    const given = counts.map(() => 0);
    while (most > 0 && given.some((each, at) => each < counts[at])) {
      counts.forEach((count, at) => { if (given[at] < count && most > 0) { given[at] += 1; most -= 1; } });
    }
    return given;
  }

  // The first chips of a row, including the selected one; the rest is behind “more”, which stays open for this question.
  function row(bar, name, chips, most) {
    const line = make("div", "row");
    line.dataset.row = name;
    const opened = bar.opened.has(name) || chips.length <= most;
    const first = chips.slice(0, opened ? chips.length : most);
    const on = chips.find((each) => each.getAttribute("aria-pressed") === "true");
    if (on && first.length && !first.includes(on)) first.splice(-1, 1, on);
    line.append(...first);
    if (!opened) {
      const more = chip(bar, `more ${name}`, ngettext("%(n)s more…", "%(n)s more…", chips.length - first.length), false, () => { bar.opened.add(name); draw(bar); });
      more.classList.add("more");
      line.append(more);
    }
    return [make("span", "cap", name), line];
  }

  // A row of facts, which cannot be changed.
  function facts(name, words) {
    const line = make("div", "row");
    line.dataset.row = name;
    line.append(...words.map((each) => make("span", "chip fact", each)));
    return [make("span", "cap", name), line];
  }

  // The label of the button: deed and target; the chips above tell the rest.
  function short({ label, target, manner }) {
    const whole = capital(label);
    if (whole.length <= 34 || !target || !label.includes(target)) return whole;
    return `${capital(manner[0].split(/[:,(]| with /)[0].trim())} → ${target}`;
  }

  // The weapon in a deed such as “Fire the hull machine gun” or “Strike with the sabre”.
  const weapon = (deed) => (/^(?:fire|shoot|strike|attack|throw|cut|thrust)(?: with)? (?:the |an? )?(.+)$/i.exec(deed) || [])[1] || "";

  // What the situation adds: the note of the option, the distance, and the conditions of both sides that have an effect.
  function situation(bar) {
    const { target, note, verb } = bar.option;
    const found = note ? note.split(/,\s+/) : [];
    const at = (who) => [...document.querySelectorAll(".fighter[data-who]")].find((each) => each.dataset.who === who);
    const tags = (card) => (card ? [...card.querySelectorAll(".state .tag")].map((each) => each.textContent.trim()) : []);
    if (target && ["attack", "special", "guard"].includes(verb)) {
      const away = [...document.querySelectorAll("#field .counter[data-away]")].find((each) => each.dataset.who === target);
      if (away) found.push(away.dataset.away);
      found.push(...tags(at(target)).filter((each) => !found.includes(each)).map((each) => `${target}: ${each}`));
    }
    found.push(...[...(at(bar.who)?.querySelectorAll(".state .tag.hurt") || [])].map((each) => each.textContent.trim()));
    return distinct(found).slice(0, 6);
  }

  // On a phone a row scrolls sideways: keeps its position and shows the selected chip.
  function inView(line, left) {
    line.scrollLeft = left;
    const on = line.querySelector("[aria-pressed=true]")?.getBoundingClientRect(), place = line.getBoundingClientRect();
    if (on && (on.left < place.left || on.right > place.right)) line.scrollLeft += on.left - place.left - (place.width - on.width) / 2;
  }

  function draw(bar) {
    const focus = document.activeElement?.closest?.("[data-bar]") === bar.root ? document.activeElement.dataset.part : "";
    const { verb, target, manner } = bar.option;
    const verbs = distinct(bar.options.map((each) => each.verb));
    const last = remembered(bar);
    const again = last && bar.options.find((each) => each.key === last.key);

    const doing = make("div", "do-what");
    const grid = make("div", "verbs");
    const shown = verbs.length > 1 ? distinct([...Object.keys(VERBS).map((each) => (each === "attack" && verbs.includes("say") ? "say" : each)), ...verbs]) : [];
    for (const each of shown) {
      const has = verbs.includes(each);
      const button = control(bar, `verb ${each}`, "", () => setVerb(bar, each));
      button.append(capital(each));
      button.disabled = !has;
      if (!has) button.title = _("No action of this kind is possible now");
      button.setAttribute("aria-pressed", each === verb ? "true" : "false");
      button.append(make("kbd", "", VERBS[each] || "A"));
      grid.append(button);
    }
    if (again) {
      const button = control(bar, "again", "again", () => set(bar, again));
      button.title = last.label;
      button.append(_("Again"), make("kbd", "", "R"));
      grid.append(button);
    }
    doing.append(make("span", "cap", _("Do")), grid);

    const how = make("div", "how");
    const targets = distinct(within(bar, verb).map((each) => each.target));
    const here = within(bar, verb, target);
    const deeds = distinct(here.map((each) => each.manner[0]));
    const also = distinct(here.filter((each) => each.manner[0] === manner[0]).flatMap((each) => each.manner.slice(1)));
    const asksWhom = targets.length > 1, asksHow = deeds.length > 1 || !asksWhom;
    const [whom, deed, added] = rooms([asksWhom ? targets.length : 0, asksHow ? deeds.length : 0, also.length], AT_FIRST_SIGHT - (verbs.length > 1 ? verbs.length : 0));
    if (asksWhom) {
      const chips = targets.map((each, at) => {
        const option = nearest(within(bar, verb, each), manner);
        const words = each || (within(bar, verb, each).length === 1 ? option.label : _("no target"));
        return chip(bar, `whom ${each}`, words, each === target, () => setTarget(bar, each), large(option), at < 9 ? String(at + 1) : "");
      });
      how.append(...row(bar, verb === "gear" ? _("Item") : verb === "move" ? _("Where") : _("Whom"), chips, whom));
    } else if (target) how.append(...facts(verb === "gear" ? _("Item") : _("Whom"), [target]));
    const armed = asksHow && deeds.length > 1 && deeds.every((each) => weapon(each));
    if (asksHow) {
      const chips = deeds.map((each) => {
        const option = nearest(here.filter((one) => one.manner[0] === each), [each, ...manner.slice(1)]);
        const button = chip(bar, `how ${each}`, armed ? weapon(each) : each, each === manner[0], () => set(bar, option), asksWhom ? "" : large(option));
        if (option.note) button.title = option.note;
        return button;
      });
      how.append(...row(bar, armed ? _("With") : _("How"), chips, deed));
    }
    if (also.length) how.append(...row(bar, armed ? _("How") : _("Also"), also.map((each) => chip(bar, `also ${each}`, each, manner.includes(each), () => toggle(bar, each))), added));
    const since = situation(bar);
    if (since.length) how.append(...facts(_("Since"), since));
    if (bar.options.length > 8) how.append(make("span", "cap finding", _("Find")), finder(bar));

    const comes = make("div", "comes");
    const weighed = slot(bar.option);
    const told = make("div", "told-of");
    told.tabIndex = 0; // scrolls by keys if it is too long
    told.setAttribute("role", "group");
    told.setAttribute("aria-label", _("Outcome"));
    if (weighed && weighed.childElementCount) told.append(...[...weighed.children].map((child) => child.cloneNode(true)));
    else if (weighed && !window.chancesCounted(bar.form.dataset.weighs)) told.append(make("p", "soft counting", _("Calculating chances…")));
    else if (bar.option.note) told.append(make("p", "soft", bar.option.note));
    else told.append(make("p", "soft", _("No dice are rolled for this.")));
    const button = control(bar, "do", "do", () => carryOut(bar));
    button.id = canAnswer() ? "do-it" : ""; // not for another player's question
    button.dataset.sets = bar.option.key;
    const chance = large(bar.option);
    const words = short(bar.option);
    button.title = bar.option.label;
    button.append(chance ? `${words}: ${chance.replace(/\d+\.\d/, (exact) => Math.round(Number(exact)))}` : words, " ", make("kbd", "", "Enter"));
    comes.append(make("span", "cap", _("Outcome")), told, button);

    const typed = bar.root.querySelector(".find")?.value || "";
    const seen = new Map([...bar.root.querySelectorAll("[data-row]")].map((each) => [each.dataset.row, each.scrollLeft]));
    bar.root.replaceChildren(...(shown.length || again ? [doing] : []), how, comes);
    for (const line of bar.root.querySelectorAll("[data-row]")) inView(line, seen.get(line.dataset.row) || 0);
    const find = bar.root.querySelector(".find");
    if (typed) { find.value = typed; listed(bar, find); }
    if (focus) [...bar.root.querySelectorAll("[data-part]")].find((each) => each.dataset.part === focus)?.focus({ preventScroll: true });
    mark(bar.option.target);
  }

  function finder(bar) {
    const line = make("div", "row finder finding");
    const input = make("input", "find");
    input.type = "search";
    input.id = "find";
    input.dataset.part = "find";
    input.setAttribute("aria-label", ngettext("Find among %(n)s option", "Find among %(n)s options", bar.options.length));
    input.placeholder = ngettext("search %(n)s option", "search %(n)s options", bar.options.length);
    input.autocomplete = "off";
    const hits = make("div", "row hits");
    input.addEventListener("input", () => listed(bar, input));
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && hits.firstElementChild) { event.preventDefault(); hits.firstElementChild.click(); }
      if (event.key === "Escape") { event.preventDefault(); input.value = ""; listed(bar, input); input.blur(); }
      event.stopPropagation();
    });
    line.append(input, hits);
    return line;
  }

  function listed(bar, input) {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const hits = input.parentElement.querySelector(".hits");
    const found = words.length ? bar.options.filter((each) => words.every((word) => each.label.toLowerCase().includes(word))).slice(0, 6) : [];
    hits.replaceChildren(...found.map((each) => chip(bar, `hit ${each.key}`, each.label, false, () => { input.value = ""; set(bar, each); }, large(each))));
  }

  // Marks the target on cards and map.
  function mark(target) {
    for (const each of document.querySelectorAll("[data-who], [data-to]")) each.classList.toggle("aimed", Boolean(target) && (each.dataset.who || each.dataset.to) === target);
  }

  function carryOut(bar) {
    if (window.justAsked?.()) return;
    const { key, verb, target, manner, label } = bar.option;
    try { sessionStorage.setItem(memory(bar), JSON.stringify({ key, verb, target, manner, label })); } catch { /* Again is not offered */ }
    bar.form.requestSubmit(bar.option.button);
  }

  function build() {
    const preview = document.querySelector("#question .preview");
    if (preview) preview.inert = !preview.previousElementSibling.open; // another player's question: look, but do not touch
    const root = document.querySelector("#question .built[data-bar]");
    if (!root) { open = null; mark(""); best(); return; }
    const form = root.parentElement.querySelector(":scope > form.choices");
    if (!form) return;
    if (!open || open.id !== root.dataset.bar || open.root !== root || open.form !== form || !root.childElementCount) {
      const opened = open && open.id === root.dataset.bar ? open.opened : new Set();
      open = { id: root.dataset.bar, root, form, who: form.dataset.asks, topic: form.dataset.topic, options: read(form), opened, option: null, controls: new Map() };
    } else open.options = read(form);
    if (!open.options.length) return;
    open.option = open.options.find((each) => each.key === chosen.get(open.id)) || beginning(open);
    form.classList.add("is-built");
    draw(open);
  }

  // Highlights the answer with the best chance.
  function best() {
    const options = [...document.querySelectorAll("#question form.few .option")];
    const hopes = options.map((each) => Number(each.querySelector(".comes-of")?.dataset.hoped || NaN));
    const most = Math.max(...hopes.filter((each) => !Number.isNaN(each)));
    options.forEach((each, at) => {
      each.classList.toggle("best", Number.isFinite(most) && hopes[at] === most);
      const chance = each.querySelector(".comes-of .chance b")?.textContent, counts = each.querySelector(".comes-of .chance small")?.textContent || "";
      const label = each.querySelector(".act-label") || make("span", "act-label");
      if (!chance) { label.remove(); return; }
      // The button names the answer and its chance.
      label.textContent = `${capital(each.querySelector("b").textContent.split(" (")[0])}: ${chance.replace(/\d+\.\d/, (exact) => Math.round(Number(exact)))} ${counts}`;
      if (!label.isConnected) each.append(label);
    });
  }

  document.addEventListener("rulewright:drawn", build);
  document.addEventListener("rulewright:weighed", () => { if (open) draw(open); best(); });
  document.addEventListener("toggle", (event) => { if (event.target.matches?.(".for-them")) build(); }, true);

  /* --- touching a token or a card ------------------------------------------------------------------------------------- */

  const canAnswer = () => open && !document.querySelector("#question .for-them:not([open])");

  document.addEventListener("click", (event) => {
    const card = event.target.closest?.("[data-who]");
    if (!card || event.target.closest("button, a, summary, input, select, form")) return;
    if (canAnswer() && open.options.some((each) => each.target === card.dataset.who)) setTarget(open, card.dataset.who);
  });

  /* --- keys ------------------------------------------------------------------------------------------------------------ */

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.target.matches("input, textarea, select, [contenteditable]")) return;
    const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    const hit = (action) => { event.preventDefault(); action(); };
    if (key === "/") return hit(() => document.getElementById("say")?.focus());
    if (key === "Z") { const undo = document.getElementById("undo"); if (undo && !undo.disabled) hit(() => undo.click()); return; }
    const theirs = document.querySelector("#question.theirs details:not([open])");
    if (theirs) return; // not for another player's question
    if (key === "U") { const usual = document.getElementById("usual"); if (usual) hit(() => usual.click()); return; }
    if (canAnswer()) {
      const verb = Object.keys(VERBS).find((each) => VERBS[each] === key);
      const verbs = distinct(open.options.map((each) => each.verb));
      if (verb && verbs.length > 1) {
        const wanted = verb === "attack" && verbs.includes("say") ? "say" : verb;
        if (verbs.includes(wanted)) return hit(() => setVerb(open, wanted));
      }
      if (key === "R") return hit(() => open.root.querySelector(".again")?.click());
      if (key === "F") return hit(() => open.root.querySelector(".find")?.focus());
      if (key === "Escape") return hit(() => { chosen.delete(open.id); set(open, beginning(open)); });
      if ("123456789".includes(key) && key.length === 1) {
        const chips = [...open.root.querySelectorAll("[data-part^='whom ']")];
        const hows = [...open.root.querySelectorAll("[data-part^='how ']")];
        const at = (chips.length ? chips : hows)[Number(key) - 1];
        if (at) return hit(() => at.click());
      }
      if (key === "Enter" && !event.target.closest("button, a, summary")) return hit(() => carryOut(open));
      return;
    }
    if ("123456789".includes(key) && key.length === 1) {
      const answers = document.querySelectorAll("#question .answers > .option, #question .answers > .answer");
      const at = answers[Number(key) - 1];
      if (at) return hit(() => at.click());
    }
    if (key === "Enter" && !event.target.closest("button, a, summary")) {
      const only = document.querySelector("#question .asked-of button.do, #question .asked-of button.usual");
      if (only) hit(() => only.click());
    }
  });

  build();
})();
