// One hand: its name, its cards and its count.

import { back, face } from "./card.js";
import { html, say } from "./make.js";
import { text } from "./text.js";

/** Fill the section of a hand; the answer shows a state in it. */
export function makeHand(section, hand) {
  const total = html("output", { class: "total" });
  const slots = [1, 2, 3].map((index) => html("li", { class: "slot", "data-index": index }));
  section.append(html("h2", {}, text(hand)), total, html("ol", {}, ...slots));
  section.setAttribute("aria-label", text(hand));

  return (state) => {
    const { cards, total: count } = state[hand];
    slots.forEach((slot, at) => showCard(slot, cards[at]));
    const due = state.floor ? state.floor.due : state.draw && { hand: state.draw.hand, index: 3 };
    slots.forEach((slot, at) =>
      slot.classList.toggle("due", !state.wait && due?.hand === hand && due.index === at + 1),
    );
    say(total, count === null ? "" : String(count));
    const isVoid = state.round.phase === "void";
    const winner = isVoid || state.wait ? null : state.result?.winner;
    section.classList.toggle("won", winner === hand);
    section.classList.toggle("lost", Boolean(winner) && winner !== hand && winner !== "tie");
    section.classList.toggle("void", isVoid);
  };
}

/** `card`: a name, null (face down) or undefined (none). What is there already stays untouched. */
function showCard(slot, card) {
  const now = card === undefined ? "none" : (card ?? "down");
  const before = slot.dataset.shows ?? "none";
  if (now === before) return;
  slot.dataset.shows = now;
  slot.classList.toggle("turned", before === "down" && now !== "none");
  slot.replaceChildren(...(now === "none" ? [] : [now === "down" ? back() : face(card)]));
}
