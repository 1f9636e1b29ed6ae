// Why the supervisor is called.

import { html } from "./make.js";
import { text } from "./text.js";

const REASONS = ["exposed-card", "stuck-card", "dropped-card", "player-touched", "other"];

/** The dialog; `open()` shows it. A reason is chosen by touch or by its number. */
export function makeReasons(dialog, { announce }) {
  const note = html("input", { id: "reason-note", maxlength: 200, autocomplete: "off" });
  const buttons = REASONS.map((reason, at) => {
    const button = html(
      "button",
      { type: "button", "data-reason": reason },
      html("kbd", {}, String(at + 1)),
      text(`reason.${reason}`),
    );
    button.addEventListener("click", () => choose(reason));
    return button;
  });
  const back = html("button", { type: "button" }, text("back"));
  back.addEventListener("click", () => dialog.close());
  dialog.setAttribute("aria-labelledby", "reasons-title");
  dialog.append(
    html("h2", { id: "reasons-title" }, text("do.supervisor_called")),
    html("div", { class: "choices" }, ...buttons),
    html("label", { for: "reason-note" }, text("reason.note")),
    note,
    back,
  );
  dialog.addEventListener("keydown", (event) => {
    const reason = REASONS[Number(event.key) - 1];
    if (event.target === note || !reason) return;
    // Behind the dialog the same key would choose a card.
    event.stopPropagation();
    choose(reason);
  });

  async function choose(reason) {
    dialog.close();
    await announce({ type: "supervisor_called", reason, note: note.value.trim() || null });
    note.value = "";
  }

  return { open: () => dialog.showModal() };
}
