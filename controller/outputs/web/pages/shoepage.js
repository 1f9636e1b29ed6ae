// One shoe in numbers: results, cards seen, rounds one by one.

import { get } from "./ask.js";
import { chip } from "./chips.js";
import { table, titleOf } from "./evidence.js";
import { html } from "./make.js";
import { RANKS, SUITS } from "./picker.js";
import { links } from "./recordpage.js";
import { text } from "./text.js";
import { clock } from "./times.js";

/** Fill the section; the answer shows the newest shoe, or the one that was chosen, as it is now. */
export function makeShoePage(section) {
  const which = html("select", {});
  const label = html("label", {}, text("record.shoe"), which);
  const exports = html("p", { class: "exports" });
  const found = html("div");
  section.append(html("div", { class: "search" }, label, exports), found);
  which.addEventListener("change", load);
  let known = 0;

  async function load() {
    const shoe = which.value;
    if (!shoe) return found.replaceChildren(html("p", { class: "quiet" }, text("shoe.none")));
    links(exports, { shoe });
    const { done, refused } = await get("/api/shoe", { shoe });
    found.replaceChildren(done ? statistics(done) : html("p", { class: "refused" }, refused));
  }

  return async () => {
    const { done } = await get("/api/shoes");
    if (done && done.length !== known) {
      known = done.length;
      which.replaceChildren(
        ...done.toReversed().map(({ shoe }) => html("option", { value: shoe }, String(shoe))),
      );
    }
    await load();
  };
}

function statistics(shoe) {
  const counted = Object.values(shoe.winners).reduce((sum, count) => sum + count, 0);
  const share = (count) => (counted ? ` (${Math.round((100 * count) / counted)}%)` : "");
  const facts = [
    ["began", clock(shoe.began)],
    ["ended.at", shoe.ended ? clock(shoe.ended) : text("in_play")],
    ["rounds", counted],
    ["banker", shoe.winners.banker + share(shoe.winners.banker)],
    ["player", shoe.winners.player + share(shoe.winners.player)],
    ["tie", shoe.winners.tie + share(shoe.winners.tie)],
    ["player_pair", shoe.pairs.player],
    ["banker_pair", shoe.pairs.banker],
    ["natural", shoe.naturals],
    ["voids", shoe.void],
    ["corrections", shoe.corrected],
    ["rate", shoe.rate ?? "\u2013"],
    ["decks", shoe.decks ?? "\u2013"],
    ["pack", shoe.pack ?? "\u2013"],
    ["burned.count", shoe.burned],
    ["cards.seen", shoe.cards],
    ["cards.unread", shoe.unread],
    ["cards.left", shoe.left ?? "\u2013"],
    ["system.software", shoe.software.join(", ")],
  ];
  const codes = Object.entries(shoe.irregularities).map(([code, count]) =>
    html("li", {}, `${titleOf(code)}: ${count}`),
  );
  return html(
    "div",
    { class: "statistics" },
    html(
      "dl",
      {},
      ...facts.map(([name, value]) =>
        html("div", {}, html("dt", {}, text(name)), html("dd", {}, String(value))),
      ),
    ),
    html(
      "section",
      {},
      html("h3", {}, text("irregularities")),
      codes.length ? html("ul", {}, ...codes) : html("p", {}, text("none")),
    ),
    html("section", {}, html("h3", {}, text("seen.title")), seen(shoe)),
    html("section", { class: "rounds" }, html("h3", {}, text("rounds")), rounds(shoe.rounds)),
  );
}

/** How often each card was read, of how many there are. */
function seen({ seen: counts, decks }) {
  const row = (suit) =>
    html(
      "tr",
      {},
      html("th", { scope: "row" }, chip(`A${suit}`).textContent.slice(1)),
      ...RANKS.map((rank) =>
        html(
          "td",
          decks && (counts[rank + suit] ?? 0) > decks ? { class: "raised" } : {},
          String(counts[rank + suit] ?? 0),
        ),
      ),
    );
  return html(
    "table",
    { class: "seen" },
    html(
      "thead",
      {},
      html(
        "tr",
        {},
        html("th", {}),
        ...RANKS.map((rank) => html("th", { scope: "col" }, rank === "T" ? "10" : rank)),
      ),
    ),
    html("tbody", {}, ...SUITS.map(row)),
  );
}

/** Each code once, with how often it was raised. */
const counted = (codes) =>
  [...Map.groupBy(codes, titleOf)]
    .map(([title, all]) => (all.length > 1 ? `${title} \u00d7 ${all.length}` : title))
    .join(", ");

function rounds(lines) {
  const row = (line) =>
    html(
      "tr",
      { class: line.void ? "void" : "" },
      html("td", {}, String(line.round)),
      html("td", {}, clock(line.decided ?? line.opened)),
      html("td", {}, ...line.player.map(chip), ` ${line.player_total ?? ""}`),
      html("td", {}, ...line.banker.map(chip), ` ${line.banker_total ?? ""}`),
      html(
        "td",
        {},
        line.void ? text("void") : line.winner ? text(`wins.${line.winner}`) : "\u2013",
        line.corrected ? ` \u00b7 ${text("corrected")}` : "",
      ),
      html("td", {}, counted(line.irregularities)),
    );
  return table(
    ["head.round", "head.time", "player", "banker", "head.result", "head.irregular"],
    lines.toReversed().map(row),
    "rounds",
  );
}
