// A road's grid: six rows, as many columns as there is room for; whole columns leave on the left.

import { svg } from "./make.js";

const ROWS = 6;

/** Fill a figure; the answer draws cells in it, each `{row, col, ...}`, with `shape(cell)` in a box of 1 by 1. */
export function makeGrid(figure, shape, label) {
  const frame = svg("rect", { x: 0.03, y: 0.03, width: 0.94, height: 0.94, class: "last" });
  const lines = svg("path", { class: "lines" });
  const layer = svg("g");
  const picture = svg("svg", { role: "img", "aria-label": label }, lines, layer);
  figure.append(picture);
  let cells = [];

  function paint() {
    const { clientWidth: width, clientHeight: height } = figure;
    if (!width || !height) return;
    const columns = Math.max(1, Math.floor((width / height) * ROWS + 0.01));
    const used = 1 + Math.max(-1, ...cells.map((cell) => cell.col));
    const first = Math.max(0, used - columns);
    picture.setAttribute("viewBox", `0 0 ${(width / height) * ROWS} ${ROWS}`);
    lines.setAttribute("d", grid(columns));
    const drawn = cells
      .filter((cell) => cell.col >= first)
      .map((cell) =>
        svg("g", { transform: `translate(${cell.col - first} ${cell.row})` }, ...shape(cell)),
      );
    drawn.at(-1)?.append(frame);
    layer.replaceChildren(...drawn);
  }

  new ResizeObserver(paint).observe(figure);
  return (next) => {
    cells = next;
    paint();
  };
}

function grid(columns) {
  const down = Array.from({ length: columns + 1 }, (_, x) => `M${x} 0V${ROWS}`);
  const across = Array.from({ length: ROWS + 1 }, (_, y) => `M0 ${y}H${columns}`);
  return [...down, ...across].join("");
}
