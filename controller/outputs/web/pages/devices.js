// The state of each device: by shape as well as by colour.

import { html } from "./make.js";
import { text } from "./text.js";

const SIGNS = { ok: "\u25cf", fault: "\u25b2", lost: "\u2715", unseen: "\u25cb" };

/** Show the devices in a list: those that the table has, each `{device, state, fault}` once it was heard of. */
export function showDevices(list, { table, devices: heard }) {
  const unseen = table.house.devices.map((device) => [device, { device, state: "unseen", fault: null }]);
  const devices = { ...Object.fromEntries(unseen), ...heard };
  const key = JSON.stringify(devices);
  if (list.dataset.shows === key) return;
  list.dataset.shows = key;
  list.replaceChildren(
    ...Object.values(devices).map(({ device, state, fault }) =>
      html(
        "li",
        { class: state, "data-device": device },
        html("i", { "aria-hidden": "true" }, SIGNS[state]),
        name(device),
        words(state, fault),
      ),
    ),
  );
}

/** What is wrong stands there to be read; that nothing is, is said by the sign. */
function words(state, fault) {
  const quiet = ["ok", "unseen"].includes(state);
  return html("span", quiet ? { class: "spoken" } : {}, `: ${fault ?? text(`device.${state}`)}`);
}

/** `shuffler-2` in words. */
function name(device) {
  const [role, ...rest] = device.split("-");
  return [text(`device.${role}`), ...rest].join(" ");
}
