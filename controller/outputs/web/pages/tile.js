// One table at a glance.

import { handLine } from "./chips.js";
import { html } from "./make.js";
import { text } from "./text.js";

/** Fill the section; the answer shows a state in it. */
export function makeTile(section) {
  let shown = "";
  return (state) => {
    const { table, shoe, round, player, banker, draw, result, wait, floor, roads } = state;
    const key = JSON.stringify([
      shoe,
      round,
      player,
      banker,
      draw,
      result,
      wait,
      floor.open,
      floor.stakes,
      roads.statistics,
    ]);
    if (key === shown) return;
    shown = key;
    section.className = wait ? "held" : floor.open ? "open" : "shut";
    section.replaceChildren(
      html(
        "h2",
        {},
        table.name,
        html("span", { class: "badge" }, text(wait ? "held" : floor.open ? "open" : "shut")),
      ),
      html("p", { class: "where" }, where(state)),
      handLine("player", player.cards, player.total),
      handLine("banker", banker.cards, banker.total),
      html("p", { class: "what" }, what(state)),
      counts(roads.statistics, floor.stakes),
    );
  };
}

/** Which table, shoe and round. */
export function where({ table, shoe, round }) {
  const parts = [
    table.id,
    shoe.number && text("shoe", { number: shoe.number }),
    round.number && text("round", { number: round.number }),
  ];
  return parts.filter(Boolean).join(" \u00b7 ");
}

/** What goes on there. */
export function what({ wait, round, draw, result, shoe, irregularities }) {
  const stop = irregularities.find(({ severity }) => severity === "stop");
  if (stop) return text(`code.${stop.code}`);
  if (wait) return text("wait");
  if (round.phase === "void") return text("void");
  if (draw) return text(`draws.${draw.hand}`);
  if (result) return text(`wins.${result.winner}`);
  return text(round.phase === "idle" ? (shoe.phase === "burning" ? "burning" : "idle.pit") : round.phase);
}

function counts(statistics, stakes) {
  const list = ["rounds", "player", "banker", "tie"].map((name) => [text(name), statistics[name]]);
  const money = stakes.reduce((sum, { amount }) => sum + Number(amount), 0);
  if (money) list.push([text("stakes"), money.toFixed(2)]);
  return html(
    "dl",
    {},
    ...list.map(([name, count]) => html("div", {}, html("dt", {}, name), html("dd", {}, String(count)))),
  );
}
