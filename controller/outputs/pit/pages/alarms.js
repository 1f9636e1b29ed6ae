// What nobody has answered, of all tables, the newest first; on the tab and for those who listen as well.

import { SIGNS, badge } from "./alerts.js";
import { spelled } from "./chips.js";
import { html, say } from "./make.js";
import { text } from "./text.js";
import { age } from "./times.js";

/** A table's own page for the pit, in a tab of its own: this one goes on watching. */
export const link = ({ url }) => ({ href: url, target: "_blank", rel: "noopener" });

/** How long an alarm is open; `earlier`: it was raised before the console heard of it. */
export function since({ since, earlier }) {
  const place = html("time", { "data-since": since, ...(earlier ? { "data-earlier": "" } : {}) });
  tell(place);
  return place;
}

/** The sign of an alarm, by shape as well as by colour. */
export const sign = ({ severity }) => html("i", { "aria-hidden": "true" }, SIGNS[severity] ?? SIGNS.warn);

function tell(place) {
  const open = age(Number(place.dataset.since) * 1000);
  say(place, "earlier" in place.dataset ? text("over", { age: open }) : open);
}

setInterval(() => document.querySelectorAll("time[data-since]").forEach(tell), 1000);

/** Fill the section; the answer shows the alarms of the tables, and gives them with an identity across all. */
export function makeAlarms(section, newest, title) {
  const heading = html("h2", {});
  const list = html("ul");
  section.append(heading, list);
  let shown = "";
  let known = new Set();

  return (rows) => {
    const open = rows
      .flatMap((table) =>
        table.alarms.map((alarm) => ({ ...alarm, table, id: `${table.key}/${alarm.id}/${alarm.since}` })),
      )
      .toSorted((one, other) => other.since - one.since);
    badge(title, open.length);
    const key = JSON.stringify(open.map(({ id, detail, table }) => [id, detail, table.name]));
    if (key === shown) return open;
    shown = key;
    const fresh = open.filter(({ id }) => !known.has(id));
    known = new Set(open.map(({ id }) => id));
    say(heading, open.length ? text("alerts", { count: open.length }) : text("alerts.none"));
    list.replaceChildren(...open.map(row));
    if (fresh.length) say(newest, fresh.map(spoken).join(". "));
    return open;
  };
}

const spoken = ({ table, code, severity }) =>
  `${table.name}: ${text(`code.${code}`)}, ${text(`severity.${severity}`)}`;

function row(alarm) {
  const { table, code, severity, detail, round } = alarm;
  return html(
    "li",
    {},
    html(
      "a",
      { ...link(table), class: severity },
      sign(alarm),
      html("b", {}, table.name),
      since(alarm),
      html("strong", {}, text(`code.${code}`)),
      html("span", {}, ...spelled(detail)),
      html(
        "small",
        {},
        [text(`severity.${severity}`), round && text("round", { number: round })].filter(Boolean).join(" \u00b7 "),
      ),
    ),
  );
}
