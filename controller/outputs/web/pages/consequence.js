// What an order would change, as the table's own copy of itself found it.

import { chip, handLine } from "./chips.js";
import { html } from "./make.js";
import { text } from "./text.js";

/** How a round lies: both hands and, where a state is given, where it stands. */
export function lying(round) {
  return html(
    "div",
    { class: `lying ${round.state}` },
    handLine("player", round.player, round.player_total),
    handLine("banker", round.banker, round.banker_total),
    ...(round.state ? [html("p", { class: "stands" }, stands(round))] : []),
  );
}

/** What is different after the order; refused: why. */
export function consequence({ refused, before, after, burned, settled }) {
  if (refused) return html("p", { class: "refused" }, `${text("not_now")}: ${refused}`);
  const more = [];
  if (burned.length) more.push([`${text("burned")} `, ...burned.map(chip)]);
  if (after.carried && after.carried !== before.carried)
    more.push([`${text("carried")} `, chip(after.carried)]);
  if (after.held && after.held !== before.held)
    more.push([`${text("then_held")}: ${text(`code.${after.held}`)}`]);
  const outcomes = Map.groupBy(settled, ({ outcome }) => outcome);
  for (const [outcome, lines] of outcomes) more.push([text(`settles.${outcome}`, { count: lines.length })]);
  return html(
    "div",
    { class: "after" },
    html("h4", {}, text("after")),
    lying(after),
    ...more.map((words) => html("p", { class: "more" }, ...words)),
  );
}

function stands({ state, winner, due }) {
  if (state === "void") return text("void");
  if (winner)
    return `${text(`wins.${winner}`)}${state === "confirmed" ? "" : ` \u00b7 ${text("unconfirmed")}`}`;
  return state === "due" ? text(`now.${due}`) : text("no_cards");
}
