// The dealer's keys, on a keyboard or on nothing but a numeric keypad.

/** Enter: the next announcement; + and -: call the hands; /: the supervisor; *: wagers; ?: help; the rest: cards. */
export function listen({ announcements, pad, call, wagers, help }) {
  const keys = { "/": call, "*": wagers, "?": help };

  addEventListener("keydown", (event) => {
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || typing(event.target)) return;
    if (document.querySelector("dialog[open]")) return;
    // A button that has the focus takes Enter and space itself.
    if (event.target.closest?.("button") && ["Enter", " "].includes(event.key)) return;
    if (keys[event.key]) keys[event.key]();
    else if (pad.press(event.key)) undefined;
    else if (["Enter", "+", "-"].includes(event.key)) announcements.press(event.key);
    else return;
    event.preventDefault();
  });
  // What was touched does not keep the focus: Enter means the next announcement, or the chosen card.
  addEventListener(
    "click",
    (event) => event.detail && document.activeElement?.tagName === "BUTTON" && document.activeElement.blur(),
  );
  addEventListener("close", () => document.activeElement?.blur(), true);
  addEventListener("keyup", (event) => ["Enter", "+", "-"].includes(event.key) && announcements.release());
}

const typing = (target) => ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName);
