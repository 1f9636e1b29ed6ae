// A road's grid: six rows, as many columns as there is room for. A road that outgrows them is drawn smaller, as
// far as it can be read, and then whole columns leave on the left.

import { svg } from "./make.js";

const ROWS = 6;
// Columns that are won at once, so that the grid is seldom drawn anew.
const STEP = 6;

/** Fill a figure; the answer draws cells in it, each `{row, col, ...}`, with `shape(cell)` in a box of 1 by 1. `long`:
 * so many columns have room when it is drawn as small as it may be. */
export function makeGrid(figure, shape, label, long = 0) {
  const frame = svg("rect", { x: 0.03, y: 0.03, width: 0.94, height: 0.94, class: "last" });
  const lines = svg("path", { class: "lines" });
  const layer = svg("g");
  const picture = svg("svg", { role: "img", "aria-label": label }, lines, layer);
  figure.append(picture);
  let cells = [];

  function paint() {
    const { clientWidth: width, clientHeight: height } = figure;
    if (!width || !height) return;
    const used = 1 + Math.max(-1, ...cells.map((cell) => cell.col));
    const usual = (width / height) * ROWS;
    const smaller = Math.min(long, Math.ceil(used / STEP) * STEP);
    const room = used > whole(usual) ? Math.max(usual, smaller) : usual;
    const columns = whole(room);
    const pitch = room / columns;
    const first = Math.max(0, used - columns);
    // The road's name stands where the last columns will be.
    figure.classList.toggle("crowded", used > 0.8 * columns);
    picture.setAttribute("viewBox", `0 0 ${room} ${(room * height) / width}`);
    lines.setAttribute("d", grid(columns, pitch));
    const drawn = cells
      .filter((cell) => cell.col >= first)
      .map((cell) =>
        svg("g", { transform: `translate(${(cell.col - first + 0.5) * pitch - 0.5} ${cell.row})` }, ...shape(cell)),
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

/** So many columns have this room. */
function whole(room) {
  return Math.max(1, Math.floor(room + 0.01));
}

function grid(columns, pitch) {
  const down = Array.from({ length: columns + 1 }, (_, x) => `M${x * pitch} 0V${ROWS}`);
  const across = Array.from({ length: ROWS + 1 }, (_, y) => `M0 ${y}H${columns * pitch}`);
  return [...down, ...across].join("");
}
