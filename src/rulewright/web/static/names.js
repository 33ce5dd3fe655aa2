/* Places the names on the map: readable size, no overlap with tokens. */
"use strict";

(() => {
  const LEAST = 11; // pixels of the smallest letters
  const TOKEN = 16; // pixels of the smallest radius of a token that has room
  const MOST = 14; // pixels of the largest
  const CROWD = 10; // tokens from which on names may be left out; on a phone always
  const GAP = 1.3; // from the middle of a counter to its name, in radii
  const NUMBERED = 38; // pixels of a hex that is numbered
  const ROOT = Math.sqrt(3) / 2, NS = "http://www.w3.org/2000/svg";
  const svg = () => document.getElementById("field");

  const laps = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
  const around = (x, y, wide, high) => [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];

  // The box of a page element in map coordinates.
  function onPaper(element, matrix) {
    const box = element.getBoundingClientRect();
    const corner = (x, y) => new DOMPoint(x, y).matrixTransform(matrix.inverse());
    const [from, to] = [corner(box.left, box.top), corner(box.right, box.bottom)];
    return [from.x, from.y, to.x, to.y];
  }

  // Below, above, to the right, to the left; then the corners, and a line farther off.
  const places = (beside, below, line) => [
    [0, below], [0, -below], [beside, 0], [-beside, 0],
    [beside, below / 2], [beside, -below / 2], [-beside, below / 2], [-beside, -below / 2],
    [0, below + line], [0, -below - line],
  ];

  // Puts a name in the first free place, or where it overlaps least.
  function put(word, x, y, among, taken, sheet, larger = 1) {
    const own = word.getBBox(), width = own.width * larger, height = own.height * larger;
    const boxes = among(width, height).map(([across, down]) => [across, down, around(x + across, y + down, width, height)]);
    const within = (box) => box[0] >= sheet[0] && box[1] >= sheet[1] && box[2] <= sheet[2] && box[3] <= sheet[3];
    const lies = boxes.map((each) => taken.filter((other) => laps(each[2], other)).length + (within(each[2]) ? 0 : 1));
    const least = Math.min(...lies);
    const [across, down, box] = boxes[lies.indexOf(least)];
    word.setAttribute("x", across / larger);
    word.setAttribute("y", down / larger);
    taken.push(box);
    return least;
  }

  // Numbers the visible hexes by column and row, if they are large enough to read.
  function numbered(drawing, matrix) {
    const group = document.getElementById("hex-numbers");
    if (!group?.dataset.size) return;
    const [columns, rows] = group.dataset.size.split(" ").map(Number);
    const [left, top, right, bottom] = onPaper(drawing, matrix);
    const words = [];
    if (matrix.a >= NUMBERED) {
      for (let column = Math.max(1, Math.floor(left / ROOT)); column <= Math.min(columns, right / ROOT + 2); column++) {
        for (let row = Math.max(1, Math.floor(top)); row <= Math.min(rows, bottom + 2); row++) {
          const word = document.createElementNS(NS, "text");
          word.setAttribute("class", "hex-number");
          word.setAttribute("x", (column - 1) * ROOT);
          word.setAttribute("y", row - 1.3 + (column % 2 === 0 ? 0.5 : 0));
          word.setAttribute("font-size", 9 / matrix.a);
          word.textContent = String(column).padStart(2, "0") + String(row).padStart(2, "0");
          words.push(word);
        }
      }
    }
    group.replaceChildren(...words);
  }

  function placed() {
    const drawing = svg();
    const matrix = drawing?.getScreenCTM();
    if (!matrix?.a) return;
    const counters = [...drawing.querySelectorAll(".counter")].map((each) => {
      const { e: x, f: y } = each.transform.baseVal.getItem(0).matrix;
      return { each, x, y, r: Number(each.querySelector(".body").getAttribute("r")), word: each.querySelector(".name") };
    });
    // On a large map tokens are drawn larger than their place, as far as their neighbours leave room.
    for (const counter of counters) {
      const near = Math.min(...counters.filter((other) => other !== counter).map((other) => Math.hypot(other.x - counter.x, other.y - counter.y)));
      counter.larger = Math.max(1, Math.min(TOKEN / (counter.r * matrix.a), near / 2.1 / counter.r));
      counter.each.setAttribute("transform", `translate(${counter.x} ${counter.y})${counter.larger > 1 ? ` scale(${counter.larger.toFixed(3)})` : ""}`);
      counter.r *= counter.larger;
    }
    const discs = counters.map(({ x, y, r }) => around(x, y, r * 2, r * 2));
    numbered(drawing, matrix);
    const above = [...document.querySelectorAll(".field-tools, .table > .cards > .fighter, .over > *, .who .tools, .map-opens")].filter((each) => each.checkVisibility());
    const taken = [...discs, ...above.map((each) => onPaper(each, matrix))];
    const sheet = onPaper(drawing, matrix);
    for (const word of drawing.querySelectorAll(".name, .named")) {
      const larger = counters.find((each) => each.word === word)?.larger || 1;
      word.style.fontSize = `${Math.min(Math.max(Number(word.getAttribute("font-size")), LEAST / matrix.a), MOST / matrix.a) / larger}px`;
    }
    // First those who are asked or aimed at; a name without room is left out, since the card and the title tell it.
    const rank = ({ each }) => (each.classList.contains("now") ? 0 : each.classList.contains("aimed") ? 1 : 2);
    for (const { x, y, r, word, larger } of [...counters].sort((a, b) => rank(a) - rank(b))) {
      const lies = put(word, x, y, (wide, high) => places(r * GAP + wide / 2, r * GAP + high / 2, high), taken, sheet, larger);
      word.style.visibility = lies && (counters.length > CROWD || drawing.clientWidth < 700) ? "hidden" : "";
      if (word.style.visibility) taken.pop();
    }
    for (const word of drawing.querySelectorAll(".named")) {
      const [x, y] = [Number(word.dataset.x), Number(word.dataset.y)];
      const r = counters[0]?.r || 0;
      const lies = put(word, 0, 0, (wide, high) => [[x, y], [x, y + r * GAP + high / 2], [x, y - r * GAP - high / 2]], taken, sheet);
      word.style.visibility = lies ? "hidden" : ""; // a token is more important
    }
  }

  for (const change of ["rulewright:drawn", "rulewright:settled"]) document.addEventListener(change, placed);
  // The map resizes when the bar below it grows; the element may have been replaced.
  const sizes = new ResizeObserver(placed);
  const watch = () => { if (svg()) sizes.observe(svg()); };
  document.addEventListener("rulewright:drawn", watch);
  watch();
  document.fonts?.ready.then(placed);
  placed();
})();
