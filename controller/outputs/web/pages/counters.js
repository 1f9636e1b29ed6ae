// What has been counted in the shoe, and which mark each road would get next.

import { html, say, svg } from "./make.js";
import { DERIVED, bead } from "./marks.js";
import { text } from "./text.js";

const COUNTED = ["banker", "player", "tie", "rounds", "banker_pair", "player_pair", "natural"];

/** Fill both sections; the answer shows a shoe's roads in them. */
export function makeCounters(counters, ask) {
  const numbers = COUNTED.map((name) => [name, html("dd", { "data-count": name })]);
  counters.append(
    html(
      "dl",
      {},
      ...numbers.map(([name, number]) => html("div", {}, html("dt", {}, sign(name), text(name)), number)),
    ),
  );
  counters.setAttribute("aria-label", text("counters"));
  ask.append(html("h3", {}, text("ask")));
  const sides = ["banker", "player"].map((side) => {
    const answer = html("p", { class: "answer", "data-ask": side });
    ask.append(html("p", { class: side }, text(`ask.${side}`)), answer);
    return [side, answer];
  });

  return (roads) => {
    for (const [name, number] of numbers) say(number, String(roads.statistics[name]));
    for (const [side, answer] of sides) showAnswer(answer, roads.ask[side]);
  };
}

function sign(name) {
  const shapes = {
    banker_pair: [svg("circle", { cx: 0.5, cy: 0.5, r: 0.26, class: "pair banker" })],
    player_pair: [svg("circle", { cx: 0.5, cy: 0.5, r: 0.26, class: "pair player" })],
    natural: [svg("path", { d: "M0.2 0.2H0.84V0.84Z", class: "natural" })],
    rounds: [],
  };
  return svg("svg", { viewBox: "0 0 1 1", class: "sign" }, ...(shapes[name] ?? bead({ outcome: name })));
}

function showAnswer(place, answer) {
  const key = JSON.stringify(answer);
  if (place.dataset.shows === key) return;
  place.dataset.shows = key;
  place.setAttribute(
    "aria-label",
    Object.keys(DERIVED).map((road) => `${text(road)}: ${text(answer[road] ?? "nothing")}`).join(", "),
  );
  place.setAttribute("role", "img");
  place.replaceChildren(
    ...Object.entries(DERIVED).map(([road, shape]) =>
      svg("svg", { viewBox: "0 0 1 1", class: "sign" }, ...(answer[road] ? shape({ mark: answer[road] }) : [])),
    ),
  );
}
