// The dealer's one sentence: what is due now, and why.

import { burnPending, mayOpen } from "./announcements.js";
import { html } from "./make.js";
import { text } from "./text.js";

const SHOWN = 2; // codes beside the sentence

/** Fill the section; the answer shows a state in it. */
export function makeNow(section) {
  let shown = "";
  return (state) => {
    const said = words(state);
    const key = JSON.stringify(said);
    if (key === shown) return;
    shown = key;
    section.className = said.kind;
    section.replaceChildren(
      html("strong", {}, said.what),
      html("span", {}, said.why ?? ""),
      ...(said.citation ? [html("small", {}, said.citation)] : []),
      html("ul", {}, ...alerts(state)),
    );
  };
}

/** What the pit has been told besides a hold: each code once, what blocks first, and of many how many. */
function alerts({ irregularities }) {
  const told = ["block", "warn"].flatMap((severity) => irregularities.filter((one) => one.severity === severity));
  const codes = [...new Set(told.map(({ code }) => code))];
  const names = codes.slice(0, SHOWN).map((code) => text(`code.${code}`));
  if (codes.length > SHOWN) names.push(text("more", { count: codes.length - SHOWN }));
  return names.map((name) => html("li", {}, name));
}

function words(state) {
  const stop = state.irregularities.find(({ severity }) => severity === "stop");
  if (stop || state.wait)
    return {
      kind: "stop",
      what: text("now.stop"),
      why: text("now.stop.why"),
      citation: stop && text(`code.${stop.code}`),
    };
  if (state.irregularities.some(({ severity }) => severity === "block") && !playing(state))
    return { kind: "block", what: text("now.block"), why: text("now.block.why") };
  return dealing(state) ?? between(state);
}

const playing = ({ round }) => ["betting", "dealing", "decided"].includes(round.phase);

function dealing(state) {
  const { round, draw, result, floor, player, banker, table } = state;
  if (round.phase === "betting")
    return { kind: "betting", what: text("now.betting"), why: text("now.betting.why") };
  if (result && round.phase === "decided")
    return won(result, player, table.announced ? text("now.confirm") : "");
  if (round.phase !== "dealing") return undefined;
  if (draw) return drawn(draw);
  if (floor.due)
    return {
      kind: `due ${floor.due.hand}`,
      what: text(`now.${floor.due.hand}`),
      why: text("now.card", { index: floor.due.index }),
    };
  const hand = player.cards.includes(null) ? "player" : banker.cards.includes(null) ? "banker" : null;
  return hand && { kind: `due ${hand}`, what: text(`do.${hand}_called`), why: text("now.call.why") };
}

function drawn({ hand, citation, player_total: player, banker_total: banker, third }) {
  const reason = hand === "banker" && third !== null ? "why.banker.third" : `why.${hand}`;
  return {
    kind: `draw ${hand}`,
    what: text(`draws.${hand}`),
    why: text(reason, { player, banker, third }),
    citation,
  };
}

function won({ winner, margin }, player, then) {
  const by = winner === "tie" ? text("margin.tie", { total: player.total }) : text("margin", { margin });
  return {
    kind: `result ${winner}`,
    what: text(`wins.${winner}`),
    why: [by, then].filter(Boolean).join(" \u00b7 "),
  };
}

function between(state) {
  const { floor, round, shoe, table } = state;
  const void_ = round.phase === "void";
  if (!floor.open) return { kind: "closed", what: text("now.closed"), why: text("now.closed.why") };
  if (floor.window === "frozen" && state.result) return won(state.result, state.player, text("now.settle"));
  if (burnPending(state)) return burning(floor.burn);
  if (void_) return { kind: "void", what: text("void"), why: text("void.why") };
  if (shoe.phase === "ended") return { kind: "ended", what: text("ended"), why: text("now.ended.why") };
  if (!table.announced) return { kind: "ready", what: text("now.ready"), why: text("now.ready.why") };
  return mayOpen(state)
    ? { kind: "idle", what: text("now.open"), why: text("now.open.why") }
    : { kind: "idle", what: text("now.ready") };
}

function burning({ done, of }) {
  if (of === null) return { kind: "burn", what: text("now.burn.first"), why: text("now.burn.first.why") };
  return {
    kind: "burn",
    what: text("now.burn", { count: of - done }),
    why: text("now.burn.why", { done, of }),
  };
}
