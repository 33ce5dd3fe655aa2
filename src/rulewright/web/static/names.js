/* Places the names on the map: readable size, no overlap with tokens. */
"use strict";

(() => {
  const LEAST = 11; // pixels of the smallest letters
  const GAP = 1.3; // from the middle of a counter to its name, in radii
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
  function put(word, x, y, among, taken, sheet) {
    const { width, height } = word.getBBox();
    const boxes = among(width, height).map(([across, down]) => [across, down, around(x + across, y + down, width, height)]);
    const within = (box) => box[0] >= sheet[0] && box[1] >= sheet[1] && box[2] <= sheet[2] && box[3] <= sheet[3];
    const lies = boxes.map((each) => taken.filter((other) => laps(each[2], other)).length + (within(each[2]) ? 0 : 1));
    const least = Math.min(...lies);
    const [across, down, box] = boxes[lies.indexOf(least)];
    word.setAttribute("x", across);
    word.setAttribute("y", down);
    taken.push(box);
    return least;
  }

  function placed() {
    const drawing = svg();
    const matrix = drawing?.getScreenCTM();
    if (!matrix?.a) return;
    const counters = [...drawing.querySelectorAll(".counter")].map((each) => {
      const { e: x, f: y } = each.transform.baseVal.consolidate().matrix;
      return { x, y, r: Number(each.querySelector(".body").getAttribute("r")), word: each.querySelector(".name") };
    });
    const discs = counters.map(({ x, y, r }) => around(x, y, r * 2, r * 2));
    const tools = drawing.parentElement.querySelector(".field-tools");
    const taken = [...discs, ...(tools ? [onPaper(tools, matrix)] : [])];
    const sheet = onPaper(drawing, matrix);
    for (const word of drawing.querySelectorAll(".name, .named")) {
      word.style.fontSize = `${Math.max(Number(word.getAttribute("font-size")), LEAST / matrix.a)}px`;
    }
    for (const { x, y, r, word } of counters) {
      put(word, x, y, (wide, high) => places(r * GAP + wide / 2, r * GAP + high / 2, high), taken, sheet);
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
