// What lies on the layout, and after the result what each stake gets.

import { html } from "./make.js";
import { text } from "./text.js";

/** Fill the section; the answer shows a state's stakes, or the settlement of the round that was finished. */
export function makeGuide(section) {
  let shown = "";
  return ({ floor }) => {
    const over = floor.window === "frozen" || (floor.window === "open" && !floor.stakes.length);
    const lines = over ? floor.settled : [];
    const key = JSON.stringify([lines, floor.stakes, floor.owed]);
    if (key === shown) return;
    shown = key;
    section.replaceChildren(lines.length ? settlement(lines) : stakes(floor.stakes), ...owed(floor.owed));
  };
}

const seatOf = (seat) => (seat ? text("seat", { seat }) : "");
const wager = (name) => text(`wager.${name}`);

function stakes(list) {
  return seats(text("stakes"), list, (stake) =>
    html("span", { class: stake.wager }, `${wager(stake.wager)} ${stake.amount}`),
  );
}

/** Seat by seat: what is taken, paid and returned. */
function settlement(lines) {
  return seats(text("settlement"), lines, ({ wager: name, amount, outcome, pays, vigorish }) => {
    const words = [
      `${wager(name)} ${amount}`,
      outcome === "win" ? text("pay", { amount: pays }) : text(outcome === "lose" ? "take" : "return"),
    ];
    if (Number(vigorish)) words.push(text("less", { amount: vigorish }));
    return html("span", { class: outcome }, words.join(" \u00b7 "));
  });
}

function seats(label, list, show) {
  const bySeat = [...Map.groupBy(list, ({ seat }) => seat)].sort(([one], [other]) => one - other);
  return html(
    "ul",
    { "aria-label": label },
    ...bySeat.map(([seat, own]) => html("li", {}, html("b", {}, seatOf(seat)), ...own.map(show))),
  );
}

function owed(seats) {
  const list = Object.entries(seats);
  if (!list.length) return [];
  return [
    html(
      "p",
      { class: "owed" },
      `${text("owed")}: ${list.map(([seat, amount]) => `${seatOf(seat)} ${amount}`).join(" \u00b7 ")}`,
    ),
  ];
}
