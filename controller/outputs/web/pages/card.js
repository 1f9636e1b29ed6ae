// A playing card, 250 by 350, drawn: index, pips or court, and the back.

import { svg } from "./make.js";
import { suit } from "./suits.js";
import { text } from "./text.js";

const LEFT = 93;
const MIDDLE = 125;
const RIGHT = 157;
const rows = (...ys) => ys.flatMap((y) => [[LEFT, y], [RIGHT, y]]);
const middles = (...ys) => ys.map((y) => [MIDDLE, y]);

const PIPS = {
  2: middles(80, 270),
  3: middles(80, 175, 270),
  4: rows(80, 270),
  5: [...rows(80, 270), ...middles(175)],
  6: rows(80, 175, 270),
  7: [...rows(80, 175, 270), ...middles(127)],
  8: [...rows(80, 175, 270), ...middles(127, 223)],
  9: [...rows(72, 141, 209, 278), ...middles(175)],
  T: [...rows(72, 141, 209, 278), ...middles(106, 244)],
};

const CROWNS = {
  K: "M-44 22V-16L-24 2-12-26 0-2 12-26 24 2 44-16V22Z M-44 28H44V38H-44Z",
  Q: "M-40 22-46-14-22 4 0-26 22 4 46-14 40 22Z M-40 28H40V38H-40Z",
  J: "M-40 22C-40-14-22-26 0-26S40-14 40 22Z M-48 28H48V38H-48Z",
};

const index = (rank, kind) =>
  svg(
    "g",
    {},
    svg(
      "text",
      { x: 38, y: 72, class: "index", ...(rank === "T" ? { textLength: 60, lengthAdjust: "spacingAndGlyphs" } : {}) },
      rank === "T" ? "10" : rank,
    ),
    suit(kind, 38, 112, 48),
  );

function court(rank, kind) {
  const half = () =>
    svg(
      "g",
      {},
      svg("path", { d: "M75 175V44H175V131Z", class: "robe" }),
      svg("path", { d: CROWNS[rank], class: "crown", transform: "translate(125 84) scale(0.82)" }),
    );
  const turned = half();
  turned.setAttribute("transform", "rotate(180 125 175)");
  return svg(
    "g",
    {},
    half(),
    turned,
    svg("rect", { x: 75, y: 44, width: 100, height: 262, rx: 4, class: "frame" }),
    svg("circle", { cx: MIDDLE, cy: 175, r: 43, class: "shield" }),
    suit(kind, MIDDLE, 175, 56),
  );
}

function middle(rank, kind) {
  if (rank === "A") return suit(kind, MIDDLE, 175, 128);
  if (rank in CROWNS) return court(rank, kind);
  return svg("g", {}, ...PIPS[rank].map(([x, y]) => suit(kind, x, y, 46, y > 175)));
}

/** The face of a card such as `7H`. */
export function face(card) {
  const [rank, kind] = card;
  const corner = index(rank, kind);
  corner.setAttribute("transform", "rotate(180 125 175)");
  return svg(
    "svg",
    {
      viewBox: "0 0 250 350",
      class: `card ${"DH".includes(kind) ? "red" : "black"}`,
      "data-card": card,
      role: "img",
      "aria-label": text("card", { rank: text(`rank.${rank}`), suit: text(`suit.${kind}`) }),
    },
    svg("rect", { x: 1, y: 1, width: 248, height: 348, rx: 16, class: "paper" }),
    index(rank, kind),
    corner,
    middle(rank, kind),
  );
}

/** A card that lies face down. */
export function back() {
  const lattice = [];
  for (let at = -350; at <= 250; at += 20) lattice.push(`M${at} 0l350 350M${at + 350} 0l-350 350`);
  return svg(
    "svg",
    { viewBox: "0 0 250 350", class: "card back", role: "img", "aria-label": text("card.down") },
    svg("rect", { x: 1, y: 1, width: 248, height: 348, rx: 16, class: "paper" }),
    svg(
      "svg",
      { x: 14, y: 14, width: 222, height: 322, viewBox: "14 14 222 322" },
      svg("rect", { x: 14, y: 14, width: 222, height: 322, rx: 9, class: "field" }),
      svg("path", { d: lattice.join(""), class: "lattice" }),
      svg("circle", { cx: 125, cy: 175, r: 44, class: "field" }),
      suit("S", 125, 175, 52),
    ),
    svg("rect", { x: 14, y: 14, width: 222, height: 322, rx: 9, class: "rim" }),
  );
}
