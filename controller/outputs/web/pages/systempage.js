// What the table is made of: devices and their state, software, rules, health.

import { get } from "./ask.js";
import { html } from "./make.js";
import { text } from "./text.js";

/** Fill the section; the answer shows it as it is now. */
export function makeSystemPage(section) {
  return async (state) => {
    const { done, refused } = await get("/api/about");
    section.replaceChildren(done ? system(done, state) : html("p", { class: "refused" }, refused));
  };
}

function system({ devices, software, rules, table, journal, health }, state) {
  // Told already, under software and table; what must be mended comes first, in words.
  const { version, table: play, healthy, problems, ...rest } = health;
  const heard = (name) => state.devices[name] ?? { state: "unseen", fault: null };
  const device = ([name, { driver, link }]) =>
    html(
      "tr",
      { class: heard(name).state },
      html("th", { scope: "row" }, name),
      html(
        "td",
        {},
        `${text(`device.${heard(name).state}`)}${heard(name).fault ? `: ${heard(name).fault}` : ""}`,
      ),
      html("td", {}, driver),
      html("td", {}, html("code", {}, link ?? "")),
    );
  const rows = Object.entries(devices);
  return html(
    "div",
    { class: "system" },
    html(
      "section",
      {},
      html("h3", {}, text("system.devices")),
      rows.length
        ? html("table", {}, html("tbody", {}, ...rows.map(device)))
        : html("p", {}, text("none.devices")),
    ),
    facts("system.health", { healthy, ...problems, play: play.play, ...flat(rest) }),
    facts("system.software", software),
    facts("system.rules", rules),
    facts("system.table", { ...table, journal }),
  );
}

/** What the end of a name says of its value, and what the name is without it. */
const UNITS = { _s: ["", (value) => `${value} s`], _bytes: [" size", size] };

function size(bytes) {
  const power = Math.min(3, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${["B", "KiB", "MiB", "GiB"][power]}`;
}

function spelled(name, value) {
  const unit = Object.keys(UNITS).find((end) => name.endsWith(end) && typeof value === "number");
  const plain = name.replaceAll("_", " ");
  if (!unit) return [plain, String(value ?? "\u2013")];
  const [end, say] = UNITS[unit];
  return [plain.slice(0, -unit.length) + end, say(value)];
}

const facts = (title, values) =>
  html(
    "section",
    {},
    html("h3", {}, text(title)),
    html(
      "dl",
      {},
      ...Object.entries(values)
        .map(([name, value]) => spelled(name, value))
        .map(([name, value]) => html("div", {}, html("dt", {}, name), html("dd", {}, value))),
    ),
  );

/** `{a: {b: 1}}` as `{"a b": 1}`. */
function flat(values, prefix = "") {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value && typeof value === "object" && !Array.isArray(value)
        ? Object.entries(flat(value, `${prefix}${name} `))
        : [[prefix + name, value]],
    ),
  );
}
