// The limits of each wager; wagers with the same limits stand together.

import { html } from "./make.js";
import { number, text } from "./text.js";

/** Fill a `dl` with limits, each `{wager, min, max}`. */
export function showLimits(list, limits) {
  const groups = new Map();
  for (const { wager, min, max } of limits) {
    const range = `${number(min)}–${number(max)}`;
    groups.set(range, [...(groups.get(range) ?? []), text(`wager.${wager}`)]);
  }
  list.replaceChildren(
    ...[...groups].map(([range, wagers]) =>
      html("div", {}, html("dt", {}, wagers.join(" · ")), html("dd", {}, range)),
    ),
  );
}
