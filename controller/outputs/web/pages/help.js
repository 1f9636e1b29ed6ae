// The keys of the dealer's page, said on the page.

import { DOWN, cutKey } from "./cardpad.js";
import { html } from "./make.js";
import { text } from "./text.js";

const KEYS = [
  ["Enter", "help.next"],
  ["+", "do.player_called"],
  ["-", "do.banker_called"],
  ["/", "do.supervisor_called"],
  ["*", "wagers"],
  ["?", "help"],
];
const CARDS = [
  ["1 2 … 9", "help.ranks"],
  ["0", "help.ten"],
  [". .. ...", "help.court"],
  ["1 2 3 4", "help.suits"],
  ["⌫", "clear"],
  ["Enter", "help.deal"],
  [DOWN, "burn.down"],
];

/** The dialog; the answer opens it. */
export function makeHelp(dialog, table) {
  const list = (keys) =>
    html(
      "dl",
      {},
      ...keys.flatMap(([key, words]) => [html("dt", {}, html("kbd", {}, key)), html("dd", {}, text(words))]),
    );
  const back = html("button", { type: "button", class: "main" }, text("back"));
  back.addEventListener("click", () => dialog.close());
  dialog.setAttribute("aria-labelledby", "help-title");
  dialog.append(
    html("h2", { id: "help-title" }, text("help")),
    list(KEYS),
    ...(table.house.manual
      ? [html("h3", {}, text("help.cards")), list([...CARDS, [cutKey(table), "cut_card"]])]
      : []),
    back,
  );
  return () => dialog.showModal();
}
