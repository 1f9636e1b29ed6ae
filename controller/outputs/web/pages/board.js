// The public board: follows the board's view and shows each state.

import { makeCall } from "./call.js";
import { makeCounters } from "./counters.js";
import { makeHand } from "./hand.js";
import { showHeader } from "./header.js";
import { showLimits } from "./limits.js";
import { say } from "./make.js";
import { makeRoads } from "./roads.js";
import { follow } from "./stream.js";
import { loadText, text, wanted } from "./text.js";

const find = (id) => document.getElementById(id);
let parts;
let shoe;

/** The parts are made once, when the first state names the language. */
async function make({ table }) {
  await loadText(wanted(table));
  const counters = makeCounters(find("counters"), find("ask"));
  const roads = makeRoads(find);
  say(find("reference"), table.footer ?? text("reference"));
  showLimits(find("limits"), table.limits);
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

async function show(state) {
  // Between shoes nothing is lost by starting afresh, and a page that runs for weeks stays young.
  if (shoe && state.shoe.number && state.shoe.number !== shoe) location.reload();
  shoe = state.shoe.number ?? shoe;
  parts ??= make(state).catch(() => (parts = undefined));
  const made = (await parts) ?? [];
  for (const part of made) part(state);
}

follow("board", show, (stale) => {
  find("stale").hidden = !stale;
  document.body.classList.toggle("stale", stale);
});
