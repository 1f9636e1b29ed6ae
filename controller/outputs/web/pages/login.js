// Who works at this page: logging in and out, and what happens when a session ends.

import { get, post } from "./ask.js";
import { html, say } from "./make.js";
import { text } from "./text.js";

const NAMES = "names"; // of those who logged in on this screen, kept on it
const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789._-";
const ACTIVE_MS = 60_000;

/**
 * The login dialog. `title`: what is logged in to. `roles`: who may work here; `onEnter(person)`, `onLeave()`. The answer has `open(words,
 * optional)` to ask for a login, `resume(words)` to go on with a session that is still there, and `leave()`.
 */
export function makeLogin(dialog, { title, roles, onEnter, onLeave }) {
  const name = html("input", {
    id: "login-name",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: 32,
  });
  const pin = html("input", {
    id: "login-pin",
    type: "password",
    inputmode: "numeric",
    autocomplete: "off",
    maxlength: 12,
  });
  const reason = html("p", { class: "reason", role: "status" });
  const names = html("p", { class: "names" });
  const keys = html("div", { class: "keys" });
  const back = html("button", { type: "button" }, text("back"));
  let entries = 0;
  const form = html(
    "form",
    { method: "dialog" },
    html("h1", {}, title),
    html("h2", {}, text("login")),
    reason,
    names,
    html("label", { for: "login-name" }, text("login.name")),
    name,
    html("label", { for: "login-pin" }, text("login.pin")),
    pin,
    html("button", { class: "main" }, text("login")),
    back,
  );
  dialog.append(form, keys);
  back.addEventListener("click", () => dialog.close());
  // Where nothing stands behind the login there is nothing to go back to.
  dialog.addEventListener(
    "keydown",
    (event) => event.key === "Escape" && back.hidden && event.preventDefault(),
  );

  for (const input of [name, pin])
    input.addEventListener("focus", () => showKeys(keys, input, input === name ? LETTERS : "1234567890"));

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { done, refused } = await post("/api/login", {
      name: name.value.trim().toLowerCase(),
      pin: pin.value,
    });
    pin.value = "";
    if (!done) return say(reason, refused);
    remember(done.name);
    await enter(done);
  });

  async function enter(person) {
    entries += 1;
    if (!roles.includes(person.role)) {
      await post("/api/logout");
      return open(text("login.role", { role: text(`role.${person.role}`) }));
    }
    dialog.close();
    onEnter(person);
  }

  function open(words = "", optional = false) {
    onLeave();
    // What was typed stays for who comes next, but no PIN.
    for (const secret of document.querySelectorAll("input[type=password]")) secret.value = "";
    say(reason, words);
    back.hidden = !optional;
    names.replaceChildren(...known().map((known) => nameButton(known, name, pin)));
    if (!dialog.open) dialog.showModal();
    (name.value ? pin : name).focus();
  }

  async function resume(words = "") {
    const before = entries;
    if (dialog.open) return undefined;
    const { done, status } = await get("/api/session");
    // Nobody was there to ask, and the stream goes on trying; or somebody has logged in meanwhile.
    if (status === 0 || dialog.open || entries !== before) return undefined;
    return done?.role && roles.includes(done.role) ? enter(done) : open(words);
  }

  async function leave() {
    await post("/api/logout");
    name.value = "";
    open();
  }

  keepAlive();
  return { open, resume, leave };
}

/** Somebody who touches the page is there: the session goes on. */
function keepAlive() {
  let last = performance.now();
  for (const kind of ["pointerdown", "keydown"]) {
    addEventListener(kind, () => {
      if (performance.now() - last < ACTIVE_MS) return;
      last = performance.now();
      get("/api/session");
    });
  }
}

function nameButton(known, name, pin) {
  const button = html("button", { type: "button" }, known);
  button.addEventListener("click", () => {
    name.value = known;
    pin.focus();
  });
  return button;
}

/** Keys for a screen without a keyboard. */
function showKeys(keys, input, letters) {
  keys.classList.toggle("digits", letters.length === 10);
  const key = (face, press) => {
    const button = html("button", { type: "button", tabindex: -1 }, ...face);
    button.addEventListener("click", press);
    return button;
  };
  const rub = [
    html("span", { class: "spoken" }, text("clear")),
    html("span", { "aria-hidden": "true" }, "\u232b"),
  ];
  keys.replaceChildren(
    ...[...letters].map((letter) => key([letter], () => (input.value += letter))),
    key(rub, () => (input.value = input.value.slice(0, -1))),
  );
}

const known = () => JSON.parse(localStorage.getItem(NAMES) ?? "[]");

function remember(name) {
  localStorage.setItem(
    NAMES,
    JSON.stringify([name, ...known().filter((other) => other !== name)].slice(0, 6)),
  );
}
