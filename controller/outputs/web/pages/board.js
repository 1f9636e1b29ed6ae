// The public board: follows the board's view and shows each state.

import { makeCall } from "./call.js";
import { makeCounters } from "./counters.js";
import { makeHand } from "./hand.js";
import { say } from "./make.js";
import { makeRoads } from "./roads.js";
import { follow } from "./stream.js";
import { loadText, text } from "./text.js";

const find = (id) => document.getElementById(id);
let parts;
let shoe;

/** The parts are made once, when the first state names the language. */
async function make(language) {
  await loadText(language);
  const counters = makeCounters(find("counters"), find("ask"));
  const roads = makeRoads(find);
  say(find("reference"), text("reference"));
  say(find("stale"), text("stale"));
  return [
    showHeader,
    makeHand(find("player"), "player"),
    makeHand(find("banker"), "banker"),
    makeCall(find("call")),
    (state) => roads(state.roads),
    (state) => counters(state.roads),
  ];
}

function showHeader({ table, shoe: { number, phase, rounds_left: left }, round }) {
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

async function show(state) {
  // Between shoes nothing is lost by starting afresh, and a page that runs for weeks stays young.
  if (shoe && state.shoe.number && state.shoe.number !== shoe) location.reload();
  shoe = state.shoe.number ?? shoe;
  parts ??= make(state.table.language).catch(() => (parts = undefined));
  const made = (await parts) ?? [];
  for (const part of made) part(state);
}

follow("board", show, (stale) => {
  find("stale").hidden = !stale;
  document.body.classList.toggle("stale", stale);
});
