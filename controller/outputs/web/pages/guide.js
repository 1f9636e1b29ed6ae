// What lies on the layout, and after the result what each stake gets.

import { html } from "./make.js";
import { money, text } from "./text.js";

/** More stakes than this stand closer together, so that all are seen at once. */
const DENSE = 9;
const PACKED = 28;

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
  return seats(text("stakes"), list, (own) =>
    own.map((stake) => html("span", { class: stake.wager }, `${wager(stake.wager)} ${money(stake.amount)}`)),
  );
}

/** Seat by seat: each stake that is paid, then those that are returned, then those that are taken. */
function settlement(lines) {
  return seats(text("settlement"), lines, (own) => [
    ...own.filter(({ outcome }) => outcome === "win").map(paid),
    ...["void", "lose"].flatMap((outcome) => together(outcome, own)),
  ]);
}

function paid({ wager: name, amount, pays, vigorish }) {
  const words = [`${wager(name)} ${money(amount)}`, text("pay", { amount: money(pays) })];
  if (Number(vigorish)) words.push(text("less", { amount: money(vigorish) }));
  return html("span", { class: "win" }, words.join(" \u00b7 "));
}

function together(outcome, own) {
  const those = own.filter((line) => line.outcome === outcome);
  if (!those.length) return [];
  const named = those.map(({ wager: name, amount }) => `${wager(name)} ${money(amount)}`).join(", ");
  return [html("span", { class: outcome }, `${text(outcome === "lose" ? "take" : "return")}: ${named}`)];
}

function seats(label, list, show) {
  const bySeat = [...Map.groupBy(list, ({ seat }) => seat)].sort(([one], [other]) => one - other);
  const size = list.length > PACKED ? "packed" : list.length > DENSE ? "dense" : "";
  return html(
    "ul",
    { "aria-label": label, class: size },
    ...bySeat.map(([seat, own]) => html("li", {}, html("b", {}, seatOf(seat)), ...show(own))),
  );
}

function owed(seats) {
  const list = Object.entries(seats);
  if (!list.length) return [];
  return [
    html(
      "p",
      { class: "owed" },
      `${text("owed")}: ${list.map(([seat, amount]) => `${seatOf(seat)} ${money(amount)}`).join(" \u00b7 ")}`,
    ),
  ];
}
