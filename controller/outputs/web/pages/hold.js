// A button that must be held: what cannot be undone is not done by a touch.

export const HOLD_MS = 2000;

/**
 * Call `action` once the button was held, by finger, Enter or space; a shorter press does nothing. It is so
 * while the button has the class `hold`. The answer has `begin()` and `end()` for a key elsewhere.
 */
export function makeHold(button, action) {
  let timer;

  function begin() {
    if (timer || button.disabled || !button.classList.contains("hold")) return;
    button.classList.add("holding");
    timer = setTimeout(() => {
      end();
      if (!button.disabled) action();
    }, HOLD_MS);
  }

  function end() {
    clearTimeout(timer);
    timer = undefined;
    button.classList.remove("holding");
  }

  button.classList.add("hold");
  button.addEventListener("pointerdown", begin);
  for (const over of ["pointerup", "pointerleave", "pointercancel", "blur"])
    button.addEventListener(over, end);
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("keydown", (event) => {
    if (!["Enter", " "].includes(event.key) || !button.classList.contains("hold")) return;
    event.preventDefault();
    if (!event.repeat) begin();
  });
  button.addEventListener("keyup", end);
  return { begin, end };
}
