// The words between the hands: what happens now, who draws and why, who won.

import { html, svg } from "./make.js";
import { text } from "./text.js";

const MARKS = ["natural", "player_pair", "banker_pair", "dragon_7", "panda_8", "corrected"];

/** Fill the section; the answer shows a state in it. */
export function makeCall(section) {
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
      html(
        "ul",
        {},
        ...(said.marks ?? []).map((mark) => html("li", { class: mark }, ...medal(mark), text(mark))),
      ),
    );
  };
}

/** A star of seven or eight points, for the two results that are celebrated. */
function medal(mark) {
  const points = { dragon_7: 7, panda_8: 8 }[mark];
  if (!points) return [];
  const corners = Array.from({ length: 2 * points }, (_, at) => {
    const [angle, radius] = [(at * Math.PI) / points, at % 2 ? 26 : 50];
    return `${50 + radius * Math.sin(angle)} ${50 - radius * Math.cos(angle)}`;
  });
  return [
    svg(
      "svg",
      { viewBox: "0 0 100 100", class: "medal", "aria-hidden": "true" },
      svg("path", { d: `M${corners.join("L")}Z` }),
    ),
  ];
}

function words(state) {
  if (state.wait) return { kind: "wait", what: text("wait") };
  const { phase } = state.round;
  if (phase === "void") return { kind: "void", what: text("void"), why: text("void.why") };
  if (state.result) return result(state);
  if (state.draw) return draw(state.draw);
  if (phase !== "idle") return { kind: phase, what: text(phase) };
  return {
    kind: "idle",
    what: text(["burning", "ended"].includes(state.shoe.phase) ? state.shoe.phase : "idle"),
  };
}

function draw({ hand, player_total: player, banker_total: banker, third }) {
  const reason = hand === "banker" && third !== null ? "why.banker.third" : `why.${hand}`;
  return { kind: `draw ${hand}`, what: text(`draws.${hand}`), why: text(reason, { player, banker, third }) };
}

function result({ result: { winner, margin, ...marks }, player }) {
  const tie = winner === "tie";
  return {
    kind: `result ${winner}`,
    what: text(`wins.${winner}`),
    why: tie ? text("margin.tie", { total: player.total }) : text("margin", { margin }),
    marks: MARKS.filter((mark) => marks[mark]),
  };
}
