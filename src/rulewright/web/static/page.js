/* Behaviour of every page: translated texts, explanations, chip groups, the test panel, the theme. */
"use strict";

/* --- texts: English in the scripts, translations from the page --------------------------------------------------------- */

const CATALOGUE = JSON.parse(document.getElementById("catalogue")?.textContent || "{}");
const fillIn = (text, values) => text.replace(/%\((\w+)\)s/g, (_all, name) => values[name]);

// The translation of a text, with `%(name)s` replaced by values.
const _ = (text, values = {}) => fillIn(CATALOGUE.texts?.[text] || text, values);

// The same for a text with a number `n`, in its plural form.
function ngettext(one, many, n) {
  const forms = CATALOGUE.plurals?.[one];
  return fillIn(forms ? forms[CATALOGUE.form[n < 200 ? n : 100 + (n % 100)]] : n === 1 ? one : many, { n });
}

if (window.Idiomorph) {
  Idiomorph.defaults.ignoreActiveValue = true;
  // Opened details stay open when the page is redrawn, and entered dice stay.
  Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, element) =>
    !(name === "open" && element.tagName === "DETAILS") && !(name === "value" && element.dataset.filters) && !element.dataset.narrows && !(name === "value" && element.name === "faces" && element.value !== element.defaultValue);
}

/* --- reasons: hover, focus or tap ------------------------------------------------------------------------------------ */

let shown = null;
let pinned = false;
let leaving = 0;

const reasonsOf = (button) => document.getElementById(button.getAttribute("popovertarget"));

function place(button, box) {
  const at = button.getBoundingClientRect();
  const room = document.documentElement.clientWidth;
  const left = Math.max(8, Math.min(at.left + at.width / 2 - box.offsetWidth / 2, room - box.offsetWidth - 8));
  const below = at.bottom + 6;
  const fits = below + box.offsetHeight <= window.innerHeight - 8;
  box.style.left = `${left}px`;
  box.style.top = `${fits ? below : Math.max(8, at.top - box.offsetHeight - 6)}px`;
}

function show(button, pin) {
  clearTimeout(leaving);
  if (shown && shown !== button) hide();
  const box = reasonsOf(button);
  if (!box) return;
  if (!box.matches(":popover-open")) box.showPopover();
  place(button, box);
  shown = button;
  pinned = pinned || pin;
}

function hide() {
  clearTimeout(leaving);
  const box = shown && reasonsOf(shown);
  if (box && box.matches(":popover-open")) box.hidePopover();
  shown = null;
  pinned = false;
}

function leave() {
  clearTimeout(leaving);
  leaving = setTimeout(() => pinned || hide(), 180);
}

document.addEventListener("pointerover", (event) => {
  if (event.pointerType !== "mouse") return;
  const button = event.target.closest(".why");
  if (button) show(button, false);
  else if (shown && event.target.closest(".reasons") === reasonsOf(shown)) clearTimeout(leaving);
  else if (shown) leave();
});

document.addEventListener("focusin", (event) => {
  const button = event.target.closest(".why");
  if (button && button.matches(":focus-visible")) show(button, false);
  else if (shown && !button && !event.target.closest(".reasons")) hide();
});

document.addEventListener("click", (event) => {
  const button = event.target.closest(".why");
  if (!button) return;
  event.preventDefault();
  if (shown === button && pinned) hide();
  else show(button, true);
});

document.addEventListener("toggle", (event) => {
  if (event.newState === "closed" && shown && event.target === reasonsOf(shown)) {
    shown = null;
    pinned = false;
  }
}, true);

window.addEventListener("scroll", () => shown && hide(), { passive: true });

/* --- the panel ------------------------------------------------------------------------------------------------------- */

let opener = null;

// Only one chip of a group is on; this runs before the form is sent.
document.addEventListener("input", (event) => {
  const chip = event.target;
  if (!chip.dataset || !chip.dataset.group || !chip.checked) return;
  for (const other of chip.form.querySelectorAll("input[data-group]"))
    if (other !== chip && other.dataset.group === chip.dataset.group) other.checked = false;
}, true);

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-opens]");
  if (link) opener = link.id;
});

function closePanel() {
  const close = document.querySelector("[data-closes]");
  if (close) close.click();
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !shown && event.target.closest("#panel.open")) closePanel();
  if (event.key === "Enter" && event.target.name === "faces" && event.target.form.id === "ask") {
    event.preventDefault();
    document.getElementById("use-dice").click();
  }
  if (event.key === " " && event.target.matches("a.button")) {
    event.preventDefault();
    event.target.click();
  }
});

document.addEventListener("htmx:afterSettle", (event) => {
  const from = event.detail.requestConfig && event.detail.requestConfig.elt;
  if (!from) return;
  if (from.dataset.opens) {
    const title = document.querySelector("#panel [data-focus]");
    if (title) title.focus({ preventScroll: getComputedStyle(document.getElementById("panel")).position === "fixed" });
  } else if (from.dataset.closes && opener) {
    const back = document.getElementById(opener);
    if (back) back.focus({ preventScroll: true });
  }
});

// The next request clears the error message.
document.addEventListener("htmx:beforeRequest", (event) => {
  const written = event.detail.elt.closest(".writing:popover-open");
  if (written) written.hidePopover();
  const notice = document.getElementById("notice");
  if (notice) notice.replaceChildren();
});

const chosen = document.querySelector("#found [aria-current]");
if (chosen) document.getElementById("found").scrollTop = chosen.offsetTop - 200;

/* --- odds: choosing a game submits the form; links are copied ---------------------------------------------------------- */

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-submits]")) event.target.form.requestSubmit();
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-copies]");
  if (!link || !navigator.clipboard) return;
  event.preventDefault();
  navigator.clipboard.writeText(link.href).then(() => { link.textContent = _("Copied"); }, () => { location.href = link.href; });
});

/* --- theme --------------------------------------------------------------------------------------------------------- */

for (const toggle of document.querySelectorAll("[data-theme-toggle]")) {
  toggle.hidden = false;
  toggle.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    document.cookie = `theme=${root.dataset.theme}; path=/; max-age=31536000; samesite=lax`;
  });
}

/* --- a chosen file is read into a text field --------------------------------------------------------------------------- */

for (const label of document.querySelectorAll("[data-reading]")) label.hidden = false;
document.addEventListener("change", async (event) => {
  const into = event.target.dataset && event.target.dataset.reads && document.getElementById(event.target.dataset.reads);
  const file = into && event.target.files[0];
  if (file && file.size <= 100000) into.value = await file.text();
});

/* --- long lists: a filter that survives redrawing ------------------------------------------------------------------------ */

function filtered(field) {
  const rows = document.getElementById(field.dataset.filters);
  if (!rows) return;
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const [kind, allowed] = [document.querySelector(`select[data-narrows="${field.id}"]`)?.value, document.querySelector(`input[data-narrows="${field.id}"]`)?.checked];
  for (const row of rows.children)
    row.hidden = !words.every((word) => row.dataset.words.toLowerCase().includes(word)) || (kind && row.dataset.kind !== kind) || (allowed && "barred" in row.dataset);
}

document.addEventListener("input", (event) => {
  if (event.target.dataset && event.target.dataset.filters) filtered(event.target);
  if (event.target.dataset && event.target.dataset.narrows) filtered(document.getElementById(event.target.dataset.narrows));
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.dataset && event.target.dataset.filters) event.preventDefault();
});

document.addEventListener("htmx:afterSettle", () => {
  for (const field of document.querySelectorAll("[data-filters]")) filtered(field);
});

/* --- ticking a reader of a note selects “these people” ------------------------------------------------------------------- */

document.addEventListener("change", (event) => {
  const other = event.target.dataset && event.target.dataset.turnsOn && event.target.checked && document.getElementById(event.target.dataset.turnsOn);
  if (other) other.checked = true;
});

/* --- a link to closed details opens them ----------------------------------------------------------------------------------- */

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-unfolds]");
  const folded = link && document.getElementById(link.dataset.unfolds);
  if (folded) { folded.open = true; folded.querySelector("input, textarea")?.focus(); }
});

/* --- the progress of a long import ------------------------------------------------------------------------------------------ */

document.addEventListener("submit", (event) => {
  const form = event.target.closest?.("[data-progress]");
  const bar = form && form.querySelector("progress");
  if (!bar || event.defaultPrevented) return;
  const token = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  form.action = `${form.action.split("?")[0]}?progress=${token}`;
  bar.parentElement.hidden = false;
  setInterval(async () => {
    try {
      const answer = await fetch(form.dataset.progress + token);
      const { share } = answer.ok ? await answer.json() : {};
      if (share != null) bar.value = share;
    } catch { /* the page is leaving, or the server is busy: the next look tells */ }
  }, 1000);
});
