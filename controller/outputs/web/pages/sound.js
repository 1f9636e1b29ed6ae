// The sound of an alert: two tones for a hold, again until it is answered; one for the rest. It can be switched off.

import { say } from "./make.js";
import { text } from "./text.js";

const KEPT = "sound";
const AGAIN_MS = 10_000;
const TONES = { stop: [880, 660], block: [660], warn: [520] };

/** The switch; the answer is told the open irregularities at every change. */
export function makeSound(button) {
  const context = new AudioContext();
  let on = localStorage.getItem(KEPT) !== "off";
  let known = new Set();
  let open = [];

  // A browser plays nothing before the page was touched once, as after a reload.
  const blocked = () => on && context.state !== "running";

  function show() {
    button.setAttribute("aria-pressed", String(on && !blocked()));
    say(button, text(blocked() ? "sound.blocked" : on ? "sound.on" : "sound.off"));
  }

  button.addEventListener("click", async () => {
    if (!blocked()) on = !on;
    localStorage.setItem(KEPT, on ? "on" : "off");
    show();
    await context.resume();
    if (on) beep("warn");
  });
  for (const kind of ["pointerdown", "keydown"])
    addEventListener(kind, ({ target }) => button.contains(target) || context.resume());
  context.addEventListener("statechange", () => {
    show();
    ring(open);
  });

  /** Say the gravest of them. */
  function ring(some) {
    const worst = ["stop", "block", "warn"].find((severity) => some.some((one) => one.severity === severity));
    if (worst) beep(worst);
  }

  function beep(severity) {
    if (!on || blocked()) return;
    TONES[severity].forEach((pitch, at) => tone(context, pitch, context.currentTime + at * 0.25));
  }

  setInterval(() => open.some(({ severity }) => severity === "stop") && beep("stop"), AGAIN_MS);
  show();
  return (irregularities) => {
    open = irregularities;
    const fresh = irregularities.filter(({ id }) => !known.has(id));
    known = new Set(irregularities.map(({ id }) => id));
    ring(fresh);
  };
}

function tone(context, pitch, at) {
  const oscillator = new OscillatorNode(context, { type: "triangle", frequency: pitch });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(0.3, at + 0.02);
  volume.gain.linearRampToValueAtTime(0, at + 0.22);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + 0.25);
}
