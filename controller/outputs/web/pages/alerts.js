// What nobody has answered yet, the gravest first; on the tab as well.

import { spelled } from "./chips.js";
import { html, say } from "./make.js";
import { text } from "./text.js";
import { age, now } from "./times.js";

const RANK = { stop: 0, block: 1, warn: 2 };
export const SIGNS = { stop: "\u25a0", block: "\u25c6", warn: "\u25b2" };

/** In the order in which they want an answer. */
export const sorted = (irregularities) =>
  irregularities.toSorted((one, other) => RANK[one.severity] - RANK[other.severity] || one.id - other.id);

/** Fill the section; `onChoose(id)`. The answer shows the open irregularities and which is chosen. */
export function makeAlerts(section, onChoose) {
  const since = new Map(); // when this page first saw each
  const heading = html("h2", {});
  const list = html("ul");
  section.append(heading, list);
  let shown = "";

  setInterval(() => {
    for (const place of list.querySelectorAll("time")) say(place, age(since.get(Number(place.dataset.id))));
  }, 1000);

  return (state, chosen) => {
    const open = sorted(state.irregularities);
    badge(`${state.table.name} \u00b7 ${text("pit")}`, open.length);
    for (const id of since.keys()) if (!open.some((one) => one.id === id)) since.delete(id);
    for (const { id } of open) since.set(id, since.get(id) ?? now());
    const key = JSON.stringify([open.map(({ id }) => id), chosen]);
    if (key === shown) return;
    shown = key;
    say(heading, open.length ? text("alerts", { count: open.length }) : text("alerts.none"));
    list.replaceChildren(...open.map((one) => row(one, chosen)));
  };

  function row({ id, code, severity, detail, round }, chosen) {
    const button = html(
      "button",
      {
        type: "button",
        class: severity,
        "data-irregularity": id,
        ...(id === chosen ? { "aria-current": "true" } : {}),
      },
      html("i", { "aria-hidden": "true" }, SIGNS[severity]),
      html("b", {}, text(`code.${code}`)),
      html("time", { "data-id": id }, age(since.get(id))),
      html("span", {}, ...spelled(detail)),
      html(
        "small",
        {},
        [`#${id}`, text(`severity.${severity}`), round && text("round", { number: round })]
          .filter(Boolean)
          .join(" \u00b7 "),
      ),
    );
    button.addEventListener("click", () => onChoose(id));
    return html("li", {}, button);
  }
}

/** How many are open, on the tab. */
export function badge(title, open) {
  document.title = open ? `(${open}) ${title}` : title;
  const icon = document.getElementById("icon");
  const wanted = open ? "/icon-alert.svg" : "/icon.svg";
  if (icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
}
