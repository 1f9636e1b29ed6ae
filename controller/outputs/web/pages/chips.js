// Cards in a line of text: rank and suit, red or black.

import { html } from "./make.js";
import { text } from "./text.js";

const SUITS = { C: "\u2663\ufe0e", D: "\u2666\ufe0e", H: "\u2665\ufe0e", S: "\u2660\ufe0e" };

/** A card such as `7H`; null: not read, or face down. */
export function chip(card) {
  if (!card) return html("span", { class: "chip unread", role: "img", "aria-label": text("unread") }, "?");
  const [rank, suit] = card;
  return html(
    "span",
    {
      class: `chip ${"DH".includes(suit) ? "red" : "black"}`,
      role: "img",
      "aria-label": text("card", { rank: text(`rank.${rank}`), suit: text(`suit.${suit}`) }),
    },
    `${rank === "T" ? "10" : rank}${SUITS[suit]}`,
  );
}

/** A hand in a line: its name, its cards, its count. */
export function handLine(hand, cards, total) {
  return html(
    "p",
    { class: `handline ${hand}` },
    html("b", {}, text(hand)),
    ...(cards.length ? cards.map(chip) : [html("span", { class: "none" }, "\u2013")]),
    html("output", {}, total === null || total === undefined ? "" : String(total)),
  );
}

const CARD = /\b([A2-9TJQK][CDHS])\b/;

/** Our own words, with the cards in them drawn. Never for what a person wrote. */
export const spelled = (words) => words.split(CARD).map((part, at) => (at % 2 ? chip(part) : part));
