// Cards by hand, at a table whose shoe tells nothing: chosen on the pad, seen large, then dealt. The other things
// that come out of a shoe have keys that mean nothing once a card is being chosen.

import { face } from "./card.js";
import { html, say } from "./make.js";
import { makePicker } from "./picker.js";
import { text } from "./text.js";

/** The key for a card that is burned face down. */
export const DOWN = "+";
/** The key for the cut card; a keypad has one where no hand is called. */
export const cutKey = ({ dealing }) => (dealing === "face-up" ? "-" : "C");

/** Fill the section; `announce(body)` sends a card. `press(key)`: whether a key meant a card. */
export function makeCardPad(section, { table, announce }) {
  const { house } = table;
  let card = null;
  let slot = "";
  let active = false;
  let burning = false;
  const waiting = [];
  const chosen = html("div", { class: "chosen" });
  const words = html("span");
  const deal = html("button", { type: "button", class: "deal" }, chosen, words, html("kbd", {}, "Enter"));
  const end = (words, key) =>
    html("button", { type: "button", class: "cut" }, html("span", {}, text(words)), html("kbd", {}, key));
  const [cut, down] = [end("cut_card", cutKey(table)), end("burn.down", DOWN)];
  const keys = html("div");
  const picker = makePicker(keys, pick);
  section.append(keys, html("div", { class: "ends" }, cut, down), deal);

  function pick(next) {
    card = next;
    chosen.replaceChildren(...(card ? [face(card)] : []));
    deal.disabled = !card;
  }

  /** One after the other; what follows one that was not taken is not sent. */
  async function send(body) {
    waiting.push(body);
    if (waiting.length > 1) return;
    while (waiting.length && (await announce(waiting[0]))) waiting.shift();
    const failed = waiting.splice(0)[0];
    if (failed?.card && picker.isClear()) picker.choose(failed.card);
  }

  deal.addEventListener("click", () => {
    const body = { type: "card_drawn", card };
    picker.clear();
    send(body);
  });
  cut.addEventListener("click", () => send({ type: "cut_card_drawn" }));
  down.addEventListener("click", () => send({ type: "card_drawn", card: null, slot: "burn" }));
  pick(null);

  function show(state) {
    active = house.manual && !state.wait && takes(state);
    section.hidden = !active;
    // A card half chosen before a hold is not what the next key adds to, and what waits is not sent.
    if (!active && !picker.isClear()) picker.clear();
    if (!active) waiting.splice(1);
    section.parentElement.classList.toggle("entering", active);
    const { burn, due } = state.floor;
    burning = Boolean(burn) && state.round.phase !== "betting";
    down.hidden = !burning || burn.first === null;
    slot = burning ? text("burn") : due ? `${text(due.hand)} ${due.index}` : text("pick.out");
    say(words, slot);
  }

  const press = (key) => {
    if (!active) return false;
    const other = picker.isClear() && others(key.toUpperCase());
    if (other) other.click();
    else if (key !== "Enter") return picker.press(key);
    else if (card) deal.click();
    else return false;
    return true;
  };
  const others = (key) => {
    // The burn's first card may be on its way, and those under it are keyed already.
    if (key === DOWN && burning && (!down.hidden || waiting.length)) return down;
    return key === "C" || key === cutKey(table) ? cut : undefined;
  };
  return { show, press };
}

/** Whether a card may leave the shoe now, or the pack is being burned. */
function takes({ floor, round, table }) {
  if (floor.due) return true;
  if (floor.burn && ["idle", "confirmed", "void"].includes(round.phase)) return true;
  return !table.announced && round.phase === "decided";
}
