// Picking a card: a pad of ranks and a pad of suits, by touch or by keys.

import { html, svg } from "./make.js";
import { suit } from "./suits.js";
import { text } from "./text.js";

export const RANKS = [..."A23456789TJQK"];
export const SUITS = [..."CDHS"];
/** The point of a numeric keypad: once is a jack, twice a queen, three times a king. */
const COURT = ["J", "Q", "K"];

/** Fill the element; `onPick(card)` at every change, with null until rank and suit are chosen. */
export function makePicker(element, onPick) {
  let rank = null;
  let kind = null;
  const ranks = RANKS.map((name) => option("rank", name, name === "T" ? "10" : name));
  const suits = SUITS.map((name) =>
    option("suit", name, svg("svg", { viewBox: "0 0 100 100" }, suit(name, 50, 50, 92))),
  );
  element.classList.add("picker");
  element.append(
    html("div", { class: "ranks", role: "group", "aria-label": text("pick.rank") }, ...ranks),
    html("div", { class: "suits", role: "group", "aria-label": text("pick.suit") }, ...suits),
  );

  function option(kindOf, name, face) {
    const button = html(
      "button",
      {
        type: "button",
        "aria-pressed": "false",
        "aria-label": text(`${kindOf}.${name}`),
        [`data-${kindOf}`]: name,
      },
      face,
    );
    button.addEventListener("click", () => (kindOf === "rank" ? choose(name, kind) : choose(rank, name)));
    return button;
  }

  function choose(nextRank, nextSuit) {
    [rank, kind] = [nextRank, nextSuit];
    for (const button of ranks) button.setAttribute("aria-pressed", String(button.dataset.rank === rank));
    for (const button of suits) button.setAttribute("aria-pressed", String(button.dataset.suit === kind));
    onPick(rank && kind ? rank + kind : null);
  }

  /** A key; whether it chose something: a rank first, then 1 to 4 or a letter for the suit. */
  function press(key) {
    const name = key.toUpperCase();
    if (["Backspace", "Delete"].includes(key)) choose(null, null);
    else if (rank && COURT.includes(rank) && !kind && key === ".")
      choose(COURT[(COURT.indexOf(rank) + 1) % 3], null);
    else if (rank && !kind && SUITS.includes(name)) choose(rank, name);
    else if (rank && !kind && "1234".includes(key)) choose(rank, SUITS[Number(key) - 1]);
    else if (!(rank && kind) && rankOf(name)) choose(rankOf(name), kind);
    else return false;
    return true;
  }

  return {
    press,
    choose: ([nextRank, nextSuit]) => choose(nextRank, nextSuit),
    clear: () => choose(null, null),
    isClear: () => !rank && !kind,
  };
}

function rankOf(key) {
  if (key === "1") return "A";
  if (key === "0") return "T";
  if (key === ".") return "J";
  return RANKS.includes(key) ? key : null;
}
