// The announcements as large buttons in fixed places: each can be pressed only when it makes sense, and the one
// that comes next stands out.

import { makeHold } from "./hold.js";
import { html } from "./make.js";
import { text } from "./text.js";

const BETWEEN = ["idle", "confirmed", "void"];

const held = (state) => state.wait || state.irregularities.some(({ severity }) => severity === "stop");
const blocked = (state) => state.irregularities.some(({ severity }) => severity === "block");
const hidden = (state, hand) => state[hand].cards.includes(null);
const complete = (state) => state.player.cards.length >= 2 && state.banker.cards.length >= 2;

/** Cards of a new pack that are still to be burned. */
export const burnPending = ({ floor: { burn } }) =>
  Boolean(burn) && (burn.of === null || burn.done < burn.of);

/** Whether the next round may be opened. */
export const mayOpen = (state) =>
  BETWEEN.includes(state.round.phase) && state.shoe.phase !== "ended" && state.floor.open && !blocked(state);

/** `can(state)`; `hold`: to be held, always or when it says so; `for(table)`: the tables that have it. */
const ANNOUNCEMENTS = [
  {
    name: "bets_opened",
    can: mayOpen,
    hold: burnPending,
    for: ({ announced }) => announced,
  },
  {
    name: "bets_closed",
    can: ({ round }) => round.phase === "betting",
    for: ({ announced }) => announced,
  },
  {
    name: "player_called",
    body: { type: "hand_called", hand: "player" },
    can: (state) => complete(state) && hidden(state, "player"),
    for: ({ dealing }) => dealing !== "face-up",
    key: "+",
  },
  {
    name: "banker_called",
    body: { type: "hand_called", hand: "banker" },
    can: (state) => complete(state) && !hidden(state, "player") && hidden(state, "banker"),
    for: ({ dealing }) => dealing !== "face-up",
    key: "-",
  },
  {
    name: "result_confirmed",
    can: ({ round }) => round.phase === "decided",
    hold: () => true,
    for: ({ announced }) => announced,
  },
  {
    name: "wagers_paid",
    can: ({ floor }) => floor.window === "frozen",
    for: ({ announced }) => announced,
  },
];
/** Which comes next when several may: what ends something before what begins something. */
const ORDER = [
  "bets_closed",
  "player_called",
  "banker_called",
  "result_confirmed",
  "wagers_paid",
  "bets_opened",
];

/** Fill the section; `announce(body)` sends one, `call()` asks why the supervisor is called. */
export function makeAnnouncements(section, { table, announce, call }) {
  const entries = ANNOUNCEMENTS.filter((entry) => entry.for(table)).map((entry) => {
    const button = html(
      "button",
      { type: "button", "data-name": entry.name },
      html("span", {}, text(`do.${entry.name}`)),
      html("small", { class: "hint" }),
      html("kbd", { class: "enter" }, "Enter"),
      ...(entry.key ? [html("kbd", {}, entry.key)] : []),
    );
    const hint = button.querySelector(".hint");
    const act = () => announce(entry.body ?? { type: entry.name });
    const held = makeHold(button, act);
    button.addEventListener("click", () => button.classList.contains("hold") || act());
    return { ...entry, button, hint, act, held };
  });
  const caller = html(
    "button",
    { type: "button", "data-name": "supervisor_called" },
    html("span", {}, text("do.supervisor_called")),
    html("kbd", {}, "/"),
  );
  caller.addEventListener("click", call);
  section.append(...entries.map(({ button }) => button), caller);
  let next;

  function show(state, mayAnnounce) {
    const able = entries.filter((entry) => mayAnnounce && !held(state) && entry.can(state));
    const first = able.toSorted((one, other) => ORDER.indexOf(one.name) - ORDER.indexOf(other.name))[0];
    next = first?.name === "bets_opened" && burnPending(state) ? undefined : first;
    for (const entry of entries) {
      const holds = entry.hold?.(state) ?? false;
      entry.button.disabled = !able.includes(entry);
      entry.button.classList.toggle("next", entry === next);
      entry.button.classList.toggle("hold", holds);
      entry.hint.textContent = holds && able.includes(entry) ? text("hold") : "";
      if (entry.button.disabled) entry.held.end();
    }
    caller.disabled = !mayAnnounce;
  }

  /** The keys: Enter is the next one, pressed or held; `+` and `-` call the hands. */
  const press = (key) => {
    const entry =
      key === "Enter" ? next : entries.find((other) => other.key === key && !other.button.disabled);
    if (!entry) return;
    if (entry.button.classList.contains("hold")) entry.held.begin();
    else entry.act();
  };
  const release = () => entries.forEach((entry) => entry.held.end());
  return { show, press, release };
}
