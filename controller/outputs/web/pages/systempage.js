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

const facts = (title, values) =>
  html(
    "section",
    {},
    html("h3", {}, text(title)),
    html(
      "dl",
      {},
      ...Object.entries(values).map(([name, value]) =>
        html("div", {}, html("dt", {}, name.replaceAll("_", " ")), html("dd", {}, String(value ?? "\u2013"))),
      ),
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
