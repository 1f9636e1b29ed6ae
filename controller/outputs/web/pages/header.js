// The head of a page: whose table, which shoe and round, and what is said about the end of the shoe.

import { say } from "./make.js";
import { text } from "./text.js";

const find = (id) => document.getElementById(id);

/** Show a state's table, shoe and round. */
export function showHeader({ table, shoe: { number, phase, rounds_left: left }, round }) {
  document.title = table.name;
  say(find("name"), table.name);
  const place = [number && text("shoe", { number }), round.number && text("round", { number: round.number })];
  say(find("shoe"), place.filter(Boolean).join(" \u00b7 "));
  find("notice").className = phase;
  say(find("notice"), notice(phase, left));
}

function notice(phase, left) {
  if (phase === "last_round" || phase === "ended") return text(phase);
  return phase === "ending" ? `${text("ending")} \u00b7 ${text("ending.left", { rounds: left })}` : "";
}
