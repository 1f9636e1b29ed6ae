// What an order must say beside its name: a hand, a card, a slot, both hands, a shoe.

import { chip } from "./chips.js";
import { html } from "./make.js";
import { makePicker } from "./picker.js";
import { text } from "./text.js";

const HANDS = ["player", "banker"];

/** order -> the fields it asks for. */
const FIELDS = {
  move_card: [to],
  identify_card: [card],
  correct_card: [slot, card],
  resynchronise: [hands],
  new_shoe: [decks, pack],
  end_shoe: [remaining],
};

/**
 * The fields of an order, for a state; `onChange()` whenever one changes. `body()`: what they say, null until
 * they are filled.
 */
export function makeFields(order, state, onChange) {
  const fields = (FIELDS[order] ?? []).map((make) => make(state, onChange));
  return {
    element: html("div", { class: "fields" }, ...fields.map(({ element }) => element)),
    body: () => fields.reduce((said, field) => said && merge(said, field.body()), {}),
  };
}

const merge = (said, more) => more && { ...said, ...more };

function choices(label, names, face, onChange) {
  let chosen = null;
  const buttons = names.map((name) => {
    const button = html(
      "button",
      { type: "button", "aria-pressed": "false", "data-value": JSON.stringify(name) },
      ...face(name),
    );
    button.addEventListener("click", () => {
      chosen = name;
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      onChange();
    });
    return button;
  });
  const element = html(
    "div",
    { class: "choice", role: "group", "aria-label": label },
    html("span", {}, label),
    ...buttons,
  );
  return { element, chosen: () => chosen };
}

function to(_, onChange) {
  const { element, chosen } = choices(text("field.to"), HANDS, (hand) => [text(hand)], onChange);
  return { element, body: () => chosen() && { to: chosen() } };
}

function card(_, onChange) {
  let picked = null;
  const element = html("div");
  makePicker(element, (next) => {
    picked = next;
    onChange();
  });
  return { element, body: () => picked && { card: picked } };
}

/** A card of the rounds that may still be changed; of the latest of them. */
function slot({ floor }, onChange) {
  const round = floor.changeable.at(-1) ?? { player: [], banker: [] };
  const slots = HANDS.flatMap((hand) => round[hand].map((own, at) => ({ hand, index: at + 1, own })));
  const face = ({ hand, index, own }) => [`${text(hand)} ${index} `, chip(own)];
  const { element, chosen } = choices(text("field.slot"), slots, face, onChange);
  return { element, body: () => chosen() && { hand: chosen().hand, index: chosen().index } };
}

/** Both hands as they lie on the table: three places each, filled one after another. */
function hands({ player, banker }, onChange) {
  const lies = { player: [...player.cards], banker: [...banker.cards] };
  let at = null;
  const places = html("div", { class: "places" });
  const pad = html("div");
  const picker = makePicker(pad, (next) => next && at && put(next));
  const clear = html("button", { type: "button" }, text("field.no_round"));
  clear.addEventListener("click", () => {
    lies.player = [];
    lies.banker = [];
    at = { hand: "player", index: 0 };
    changed();
  });

  function put(next) {
    lies[at.hand][at.index] = next;
    const other = at.hand === "player" ? "banker" : "player";
    // The order of the deal: one to each, then the third cards.
    at =
      at.index < 2 && lies[other].length <= at.index
        ? { hand: other, index: at.index }
        : { hand: at.hand, index: Math.min(lies[at.hand].length, 2) };
    picker.clear();
    changed();
  }

  function changed() {
    show();
    onChange();
  }

  function show() {
    places.replaceChildren(
      ...HANDS.map((hand) =>
        html(
          "div",
          { class: `hand-places ${hand}` },
          html("b", {}, text(hand)),
          ...[0, 1, 2].map((index) => place(hand, index)),
          remove(hand),
        ),
      ),
    );
  }

  function place(hand, index) {
    const own = lies[hand][index];
    const chosen = at?.hand === hand && at.index === index;
    const button = html(
      "button",
      { type: "button", "aria-pressed": String(chosen), "data-place": `${hand}-${index + 1}` },
      html("span", { class: "spoken" }, `${text(hand)} ${index + 1} `),
      ...(own === undefined ? ["+"] : [chip(own)]),
    );
    button.disabled = index > lies[hand].length;
    button.addEventListener("click", () => {
      at = { hand, index };
      picker.clear();
      show();
    });
    return button;
  }

  function remove(hand) {
    const button = html(
      "button",
      { type: "button" },
      html("span", { class: "spoken" }, text("field.remove", { hand: text(hand) })),
      html("span", { "aria-hidden": "true" }, "\u232b"),
    );
    button.disabled = !lies[hand].length;
    button.addEventListener("click", () => {
      lies[hand].pop();
      at = { hand, index: lies[hand].length };
      changed();
    });
    return button;
  }

  show();
  const complete = () => [...lies.player, ...lies.banker].every(Boolean);
  return {
    element: html("div", {}, places, pad, clear),
    body: () => (complete() ? { player: [...lies.player], banker: [...lies.banker] } : null),
  };
}

function input(label, attributes, onChange, body) {
  const field = html("input", { autocomplete: "off", ...attributes });
  field.addEventListener("input", onChange);
  return { element: html("label", {}, label, field), body: () => body(field.value.trim()) };
}

function decks({ table }, onChange) {
  return input(
    text("decks"),
    { type: "number", min: 1, max: 12, value: table.house.decks },
    onChange,
    (value) => value && { decks: Number(value) },
  );
}

function pack(_, onChange) {
  return input(text("pack"), { maxlength: 40 }, onChange, (value) => ({ pack: value || null }));
}

function remaining(_, onChange) {
  return input(text("remaining"), { type: "number", min: 0, max: 624 }, onChange, (value) => ({
    remaining: value === "" ? null : Number(value),
  }));
}
