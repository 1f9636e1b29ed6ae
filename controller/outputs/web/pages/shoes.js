// A new shoe and the end of one: what a dealer orders between rounds, held for two seconds.

import { makeHold } from "./hold.js";
import { html, say } from "./make.js";
import { text } from "./text.js";

/** The dialog; `open()` shows it, `show(state)` says what may be done now. */
export function makeShoes(dialog, { order, house }) {
  const field = (id, label, attributes) => {
    const input = html("input", { id, autocomplete: "off", ...attributes });
    return [input, html("label", { for: id }, text(label)), input];
  };
  const [decks, ...decksField] = field("shoe-decks", "decks", {
    type: "number",
    min: 1,
    max: 12,
    value: house.decks,
  });
  const [pack, ...packField] = field("shoe-pack", "pack", { maxlength: 40 });
  const [remaining, ...remainingField] = field("shoe-remaining", "remaining", {
    type: "number",
    min: 0,
    max: 624,
  });
  const begin = html(
    "button",
    { type: "button", class: "main hold" },
    html("span", {}, text("new_shoe")),
    html("small", { class: "hint" }, text("hold")),
  );
  const end = html(
    "button",
    { type: "button", class: "main hold" },
    html("span", {}, text("end_shoe")),
    html("small", { class: "hint" }, text("hold")),
  );
  const why = html("p", { class: "reason", role: "status" });
  const back = html("button", { type: "button" }, text("back"));
  back.addEventListener("click", () => dialog.close());
  dialog.setAttribute("aria-labelledby", "shoes-title");
  dialog.append(
    html("h2", { id: "shoes-title" }, text("shoe.change")),
    why,
    html("section", {}, ...decksField, ...packField, begin),
    html("section", {}, ...remainingField, end),
    back,
  );
  makeHold(begin, () =>
    give({ order: "new_shoe", decks: Number(decks.value), pack: pack.value.trim() || null }),
  );
  makeHold(end, () =>
    give({ order: "end_shoe", remaining: remaining.value === "" ? null : Number(remaining.value) }),
  );

  async function give(body) {
    dialog.close();
    if (await order({ ...body, reason: "" })) pack.value = remaining.value = "";
  }

  function show({ wait, round, shoe, table }) {
    const between =
      ["idle", "confirmed", "void"].includes(round.phase) || (round.phase === "decided" && !table.announced);
    begin.disabled = wait || !between;
    end.disabled = wait || !between || ["none", "ended"].includes(shoe.phase);
    say(why, wait || !between ? text("between") : "");
  }

  return { open: () => dialog.showModal(), show };
}
