// The tables: held ones first, then blocked, then warned or not heard, then the rest by name.

import { link, sign, since } from "./alarms.js";
import { showDevices } from "./devices.js";
import { html, say } from "./make.js";
import { text } from "./text.js";
import { what, where } from "./tile.js";

const SEVERITIES = ["stop", "block", "warn"];
const PLACES = ["held", "blocked", "warned", "quiet"]; // by rank
const SIZES = { few: 6, some: 12, many: 20, crowd: Infinity }; // up to so many tables
const SHOWN = 2; // alarms on a tile; the others are counted

const names = new Intl.Collator([], { numeric: true });

/** In the order in which they want to be looked at. */
export const sorted = (rows) =>
  rows.toSorted((one, other) => one.rank - other.rank || names.compare(one.name, other.name));

/** Fill the list; the answer shows the tables, sorted, in it. */
export function makeWall(list) {
  const tiles = new Map();
  return (rows) => {
    list.className = Object.keys(SIZES).find((size) => rows.length <= SIZES[size]);
    for (const table of rows) {
      if (!tiles.has(table.key)) tiles.set(table.key, makeTile(table));
      tiles.get(table.key).show(table);
    }
    const order = rows.map(({ key }) => tiles.get(key).item);
    if (order.every((item, at) => item === list.children[at])) return;
    // What is moved loses the focus.
    const focused = document.activeElement;
    list.replaceChildren(...order);
    if (list.contains(focused)) focused.focus();
  };
}

function makeTile({ url, key }) {
  const name = html("h2");
  const state = html("span", { class: "badge" });
  const going = html("p", { class: "what" });
  const place = html("p", { class: "where" });
  const alarms = html("ul", { class: "open" });
  const devices = html("ul", { class: "devices" });
  const tile = html("a", link({ url }), name, state, going, place, alarms, devices);
  const item = html("li", { "data-table": key }, tile);
  let shown = "";

  return { item, show };

  function show(table) {
    const now = JSON.stringify(table);
    if (now === shown) return;
    shown = now;
    const { play, reach } = table;
    tile.className = `${PLACES[table.rank]} ${reach}${play.floor.open ? "" : " shut"}`;
    say(name, table.name);
    say(state, standing(table));
    say(going, doing(table));
    say(place, where({ ...play, table: {} }));
    alarms.replaceChildren(...opened(table.alarms));
    showDevices(devices, play);
  }
}

function standing({ reach, play, late }) {
  if (reach !== "up") return text(`reach.${reach}`);
  const stands = text(play.wait ? "held" : play.floor.open ? "open" : "shut");
  return late ? `${stands} \u00b7 ${text("late")}` : stands;
}

/** The hold is said beside it. */
function doing({ reach, play }) {
  if (!play.table.id) return "";
  const last = what({ ...play, wait: false, irregularities: [] });
  return reach === "up" ? last : text("last", { what: last });
}

function opened(alarms) {
  const gravest = alarms.toSorted((one, other) => place(one) - place(other));
  const lines = gravest
    .slice(0, SHOWN)
    .map((alarm) =>
      html("li", { class: alarm.severity }, sign(alarm), html("b", {}, text(`code.${alarm.code}`)), since(alarm)),
    );
  const more = alarms.length - lines.length;
  return more > 0 ? [...lines, html("li", { class: "more" }, text("more", { count: more }))] : lines;
}

const place = ({ severity }) => SEVERITIES.indexOf(severity);
