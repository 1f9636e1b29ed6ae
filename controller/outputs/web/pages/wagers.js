// The wagers, seat by seat: place a stake, take it back, collect the vigorish that a seat owes.

import { html, say } from "./make.js";
import { money, text } from "./text.js";

const CHIPS = ["5", "25", "100", "500", "1000"];
const KINDS = ["chips", "verbal", "match_play"];

/** The dialog; `open()` shows it, `show(state)` what lies there. */
export function makeWagers(dialog, { announce, house }) {
  let seat = 1;
  let wager = house.wagers.includes("player") ? "player" : house.wagers[0];
  let state;

  const seats = Array.from({ length: house.seats }, (_, at) => at + 1);
  const seatButtons = group(
    "seat.head",
    seats,
    (name) => String(name),
    (name) => (seat = name),
  );
  const wagerButtons = group(
    "wager.head",
    house.wagers,
    (name) => text(`wager.${name}`),
    (name) => (wager = name),
  );
  const amount = html("input", {
    id: "wager-amount",
    inputmode: "decimal",
    autocomplete: "off",
    maxlength: 17,
  });
  const kind = html(
    "select",
    { id: "wager-kind" },
    ...KINDS.map((name) => html("option", { value: name }, text(`kind.${name}`))),
  );
  const [second, name, pin] = secondPerson();
  const place = html("button", { type: "button", class: "main" }, text("place"));
  const remove = html("button", { type: "button" }, text("take_back"));
  const collect = html("button", { type: "button" });
  const lies = html("ul", { class: "lies" });
  const why = html("p", { class: "reason", role: "status" });
  const back = html("button", { type: "button" }, text("back"));

  dialog.setAttribute("aria-labelledby", "wagers-title");
  dialog.append(
    html("h2", { id: "wagers-title" }, text("wagers")),
    why,
    seatButtons.element,
    wagerButtons.element,
    html(
      "div",
      { class: "amount" },
      html("label", { for: "wager-amount" }, text("amount")),
      amount,
      ...CHIPS.map(chip),
      clear(),
      html("label", { for: "wager-kind" }, text("kind")),
      kind,
    ),
    second,
    html("div", { class: "acts" }, place, remove, collect, back),
    lies,
  );

  /** A row of buttons of which one is chosen. */
  function group(label, names, say_, choose) {
    const buttons = names.map((one) => {
      const button = html("button", { type: "button", "data-value": one }, say_(one));
      button.addEventListener("click", () => {
        choose(one);
        mark();
      });
      return [one, button];
    });
    return {
      element: html(
        "div",
        { class: "group", role: "group", "aria-label": text(label) },
        ...buttons.map(([, button]) => button),
      ),
      buttons,
    };
  }

  function chip(value) {
    const button = html("button", { type: "button", class: "chip" }, `+${value}`);
    button.addEventListener(
      "click",
      () => (amount.value = String(Number(amount.value || 0) + Number(value))),
    );
    return button;
  }

  function clear() {
    const button = html("button", { type: "button" }, text("clear"));
    button.addEventListener("click", () => (amount.value = ""));
    return button;
  }

  function secondPerson() {
    const inputs = [
      html("input", { id: "wager-second", autocomplete: "off", maxlength: 32 }),
      html("input", {
        id: "wager-pin",
        type: "password",
        inputmode: "numeric",
        autocomplete: "off",
        maxlength: 12,
      }),
    ];
    const labels = [
      html("label", { for: "wager-second" }, text("second.name")),
      html("label", { for: "wager-pin" }, text("login.pin")),
    ];
    const form = html("form", { class: "amount", hidden: "" }, labels[0], inputs[0], labels[1], inputs[1]);
    form.addEventListener("submit", (event) => event.preventDefault());
    return [form, ...inputs];
  }

  kind.addEventListener("change", () => (second.hidden = kind.value !== "verbal"));
  back.addEventListener("click", () => dialog.close());
  place.addEventListener("click", async () => {
    const verbal =
      kind.value === "verbal" && name.value ? { second: { name: name.value.trim(), pin: pin.value } } : {};
    const done = await announce({
      type: "wager_placed",
      seat,
      wager,
      amount: amount.value.trim(),
      kind: kind.value,
      ...verbal,
    });
    pin.value = "";
    if (done) amount.value = "";
  });
  remove.addEventListener("click", async () => {
    if (await announce({ type: "wager_removed", seat, wager, amount: amount.value.trim() || null }))
      amount.value = "";
  });
  collect.addEventListener("click", () =>
    announce({ type: "vigorish_collected", seat, amount: state.floor.owed[seat] }),
  );

  function mark() {
    for (const [one, button] of seatButtons.buttons)
      button.setAttribute("aria-pressed", String(one === seat));
    for (const [one, button] of wagerButtons.buttons)
      button.setAttribute("aria-pressed", String(one === wager));
    if (!state) return;
    const owed = state.floor.owed[seat];
    collect.hidden = !owed || owed.startsWith("-");
    say(collect, text("collect", { amount: owed ? money(owed) : "" }));
    place.disabled = remove.disabled = state.floor.window !== "open";
    say(why, place.disabled ? text("no_wagers") : "");
    const own = state.floor.stakes.filter((stake) => stake.seat === seat);
    lies.replaceChildren(
      ...own.map((stake) =>
        html("li", { class: stake.wager }, `${text(`wager.${stake.wager}`)} ${money(stake.amount)}`),
      ),
    );
  }

  return {
    open: () => dialog.showModal(),
    show: (next) => {
      state = next;
      mark();
    },
  };
}
