// Searching the record: by shoe, round, card, code and time.

import { get } from "./ask.js";
import { spelled } from "./chips.js";
import { table, titleOf } from "./evidence.js";
import { html } from "./make.js";
import { RANKS, SUITS } from "./picker.js";
import { text } from "./text.js";
import { clock } from "./times.js";

const SUIT_SIGNS = { C: "\u2663", D: "\u2666", H: "\u2665", S: "\u2660" };

/** Fill the section; the answer is called when it is opened. */
export function makeRecordPage(section, codes) {
  const shoe = number("record.shoe");
  const round = number("record.round");
  const card = select(
    "record.card",
    RANKS.flatMap((rank) =>
      SUITS.map((suit) => [rank + suit, `${rank === "T" ? "10" : rank}${SUIT_SIGNS[suit]}`]),
    ),
  );
  const code = select(
    "record.code",
    codes.map((name) => [name, titleOf(name)]),
  );
  const from = time("record.from");
  const to = time("record.to");
  const frames = html("input", { type: "checkbox" });
  const search = html("button", { class: "main" }, text("search"));
  const exports = html("p", { class: "exports" });
  const found = html("div", { class: "found" });
  const older = html("button", { type: "button" }, text("older"));
  const form = html(
    "form",
    { class: "search" },
    ...[shoe, round, card, code, from, to].map(({ element }) => element),
    html("label", { class: "check" }, frames, text("record.frames")),
    search,
  );
  section.append(form, exports, found, older);
  let before = null;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    found.replaceChildren();
    before = null;
    load();
  });
  older.addEventListener("click", load);

  const asked = () => ({
    shoe: shoe.value(),
    round: round.value(),
    card: card.value(),
    code: code.value(),
    from: from.value() && new Date(from.value()).toISOString(),
    to: to.value() && new Date(to.value()).toISOString(),
    frames: frames.checked ? 1 : null,
  });

  async function load() {
    const query = asked();
    links(exports, { shoe: query.shoe, from: query.from, to: query.to });
    const { done, refused } = await get("/api/record", { ...query, before });
    if (!done) return found.append(html("p", { class: "refused" }, refused));
    if (!done.hits.length && before === null)
      found.append(html("p", { class: "quiet" }, text("record.none")));
    else found.append(hits(done.hits));
    before = done.before;
    older.hidden = before === null;
  }

  older.hidden = true;
  let loaded = false;
  return () => {
    if (!loaded) load();
    loaded = true;
  };
}

/** Files to take away. */
export function links(element, query, formats = ["csv", "json", "html"], words = "export") {
  const given = Object.entries(query).filter(([, value]) => value);
  const link = (format) =>
    html(
      "a",
      { href: `/api/export?${new URLSearchParams([["format", format], ...given])}`, download: "" },
      format.toUpperCase(),
    );
  element.replaceChildren(html("span", {}, text(words)), ...formats.map(link));
}

function hits(list) {
  const rows = list.flatMap((hit) => {
    const said = html(
      "tr",
      { class: "said", hidden: "" },
      html("td", { colspan: 6 }, html("pre", {}, JSON.stringify(hit.said, null, 1))),
    );
    const more = html(
      "button",
      { type: "button" },
      html("span", { class: "spoken" }, `${text("record.more")} `),
      String(hit.seq),
    );
    more.addEventListener("click", () => (said.hidden = !said.hidden));
    const place = [hit.shoe, hit.round].map((part) => (part === null ? "\u2013" : String(part)));
    const cells = [clock(hit.wall), place[0], place[1]].map((words) => html("td", {}, words));
    const words = html(
      "td",
      {},
      ...(hit.who ? [html("b", {}, hit.who), " "] : []),
      ...spelled(hit.text),
      ...(hit.quote ? [" ", html("q", {}, hit.quote)] : []),
    );
    return [
      html(
        "tr",
        { class: hit.kind },
        ...cells,
        html("td", {}, hit.device ?? ""),
        words,
        html("td", {}, more),
      ),
      said,
    ];
  });
  return table(
    ["head.time", "head.shoe", "head.round", "head.device", "head.what", "head.record"],
    rows,
    "hits",
  );
}

function labelled(label, field) {
  return { element: html("label", {}, text(label), field), value: () => field.value.trim() || null };
}

const number = (label) => labelled(label, html("input", { type: "number", min: 1 }));
const time = (label) => labelled(label, html("input", { type: "datetime-local" }));

function select(label, options) {
  return labelled(
    label,
    html(
      "select",
      {},
      html("option", { value: "" }, text("any")),
      ...options.map(([value, words]) => html("option", { value }, words)),
    ),
  );
}
