// The marks of the roads in a box of 1 by 1. Colour never stands alone: letters, dots and directions say it too.

import { svg } from "./make.js";
import { text } from "./text.js";

const disc = (r, kind) => svg("circle", { cx: 0.5, cy: 0.5, r, class: kind });
const letter = (word, kind) => svg("text", { x: 0.5, y: 0.5, class: kind }, word);
const dot = (x, y, kind) => svg("circle", { cx: x, cy: y, r: 0.13, class: `pair ${kind}` });

const pairs = (cell) => [
  ...(cell.banker_pair ? [dot(0.17, 0.17, "banker")] : []),
  ...(cell.player_pair ? [dot(0.83, 0.83, "player")] : []),
];

/** A round on the bead plate. */
export const bead = (cell) => [
  disc(0.44, `solid ${cell.outcome}`),
  letter(text(`letter.${cell.outcome}`), "bead"),
  ...(cell.natural ? [svg("path", { d: "M0.7 0.04H0.96V0.3Z", class: "natural" })] : []),
  ...pairs(cell),
];

/** A result on the big road, with the ties that followed it; `outcome` null: ties wait for the first result. */
export const ring = (cell) => [
  ...(cell.outcome
    ? [disc(0.38, `ring ${cell.outcome}`), letter(text(`letter.${cell.outcome}`), `small ${cell.outcome}`)]
    : []),
  ...(cell.ties ? [svg("path", { d: "M0.1 0.9 0.9 0.1", class: "ties" })] : []),
  ...(cell.ties > 1 ? [svg("text", { x: 0.18, y: 0.8, class: "count" }, String(cell.ties))] : []),
  ...pairs(cell),
];

/** A mark of a derived road: red is regular, blue is not. */
export const DERIVED = {
  big_eye: ({ mark }) => [
    disc(0.36, `ring ${mark}`),
    ...(mark === "blue" ? [disc(0.12, `solid ${mark}`)] : []),
  ],
  small: ({ mark }) => [disc(0.42, `solid ${mark}`), ...(mark === "blue" ? [disc(0.16, "hole")] : [])],
  cockroach: ({ mark }) => [
    svg("path", { d: mark === "red" ? "M0.14 0.86 0.86 0.14" : "M0.14 0.14 0.86 0.86", class: `slash ${mark}` }),
  ],
};
