// The evidence of an irregularity: the cards in order, the frames, the devices, what was ordered before.

import { chip, spelled } from "./chips.js";
import { SIGNS } from "./alerts.js";
import { lying } from "./consequence.js";
import { html } from "./make.js";
import { hasText, text } from "./text.js";
import { clock } from "./times.js";

/** A table with a heading. */
export function table(heads, rows, kind) {
  return html(
    "table",
    { class: kind },
    html(
      "thead",
      {},
      html("tr", {}, ...heads.map((head) => html("th", { scope: "col" }, head && text(head)))),
    ),
    html("tbody", {}, ...rows),
  );
}

const cell = (...parts) => html("td", {}, ...parts);

/** Everything that is known about it. */
export function evidence({ incident, devices, orders }) {
  const parts = [
    incident.seen && section("seen", html("p", {}, ...spelled(incident.seen))),
    incident.before &&
      section("before.raised", lying({ ...incident.before, state: "", winner: null, due: null })),
    incident.cards.length && section("cards", cards(incident.cards)),
    incident.frames.length && section("frames", frames(incident.frames)),
    section("devices", deviceList(devices)),
    section("earlier", orders.length ? orderList(orders) : html("p", {}, text("none.earlier"))),
    section("timeline", timeline(incident.timeline), true),
  ];
  return html("div", { class: "evidence" }, ...parts.filter(Boolean));
}

function section(name, content, folded = false) {
  return html(
    "details",
    { class: name, ...(folded ? {} : { open: "" }) },
    html("summary", {}, text(`evidence.${name}`)),
    html("div", { class: "scroll", tabindex: 0 }, content),
  );
}

function cards(rows) {
  return table(
    ["head.time", "head.card", "head.due", "head.reported", "head.became"],
    rows.map((row) =>
      html(
        "tr",
        row.raised ? { class: "raised" } : {},
        cell(clock(row.moment.wall)),
        cell(chip(row.card)),
        cell(row.due),
        cell(row.reported),
        cell(row.became),
      ),
    ),
    "cards",
  );
}

function frames(rows) {
  return table(
    ["head.time", "head.device", "head.bytes", "head.record"],
    rows.map((row) =>
      html(
        "tr",
        row.raised ? { class: "raised" } : {},
        cell(clock(row.moment.wall)),
        cell(row.device),
        cell(html("code", {}, row.hex), html("code", { class: "ascii" }, row.text)),
        cell(String(row.moment.seq)),
      ),
    ),
    "frames",
  );
}

function deviceList(devices) {
  if (!devices.length) return html("p", {}, text("none.devices"));
  return html(
    "ul",
    {},
    ...devices.map(({ device, state, fault }) =>
      html("li", { class: state }, `${device}: ${text(`device.${state}`)}${fault ? `, ${fault}` : ""}`),
    ),
  );
}

function orderList(hits) {
  return html(
    "ul",
    {},
    ...hits.map((hit) =>
      html(
        "li",
        {},
        `${clock(hit.wall)} `,
        html("b", {}, hit.who),
        ` ${hit.text}`,
        ...(hit.quote ? [" ", html("q", {}, hit.quote)] : []),
      ),
    ),
  );
}

function timeline(lines) {
  return table(
    ["head.time", "", "head.what", "head.record"],
    lines.map((line) =>
      html(
        "tr",
        { class: line.kind },
        cell(clock(line.moment.wall)),
        cell(line.kind === "raised" ? SIGNS.stop : ""),
        cell(
          ...(line.who ? [html("b", {}, line.who), " "] : []),
          ...spelled(line.text),
          ...(line.quote ? [" ", html("q", {}, line.quote)] : []),
        ),
        cell(String(line.moment.seq)),
      ),
    ),
    "timeline",
  );
}

/** A code in words. */
export const titleOf = (code) => (hasText(`code.${code}`) ? text(`code.${code}`) : code);
