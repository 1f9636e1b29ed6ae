// The dealer's page: what is due now and why, the announcements, the wagers, and cards by hand.

import { makeAnnouncements } from "./announcements.js";
import { get, post } from "./ask.js";
import { makeCardPad } from "./cardpad.js";
import { showDevices } from "./devices.js";
import { makeGuide } from "./guide.js";
import { makeHand } from "./hand.js";
import { showHeader } from "./header.js";
import { makeHelp } from "./help.js";
import { listen } from "./keys.js";
import { makeLogin } from "./login.js";
import { html, say } from "./make.js";
import { makeNow } from "./now.js";
import { makeReasons } from "./reasons.js";
import { makeShoes } from "./shoes.js";
import { follow } from "./stream.js";
import { loadText, text, wanted } from "./text.js";
import { makeToast } from "./toast.js";
import { makeWagers } from "./wagers.js";

const find = (id) => document.getElementById(id);
const toast = makeToast(find("toast"));
const ANNOUNCERS = ["dealer", "supervisor"];

let parts;
let login;
let person;
let stop;
let shoe;
let latest;

/** Announce something, or give an order; whether it was done. Asks for a login where nobody is there. */
async function act(path, body) {
  if (!person) {
    login.open(text("login.first"), true);
    return false;
  }
  const { refused, status } = await post(path, body);
  if (status === 401) login.open(text("login.ended"));
  else if (refused) toast(refused);
  return !refused;
}

const announce = (body) => act("/api/announce", body);
const order = (body) => act("/api/order", body);

function make(state) {
  const { house } = state.table;
  const open = (makeDialog, id) => makeDialog(find(id), { announce, order, house });
  const dialogs = {
    reasons: open(makeReasons, "reasons"),
    wagers: open(makeWagers, "wagers"),
    shoes: open(makeShoes, "shoes"),
  };
  const help = makeHelp(find("help"), state.table);
  const announcements = makeAnnouncements(find("buttons"), {
    table: state.table,
    announce,
    call: dialogs.reasons.open,
  });
  const pad = makeCardPad(find("pad"), { table: state.table, announce });
  const more = [
    ["wagers", dialogs.wagers.open, "*"],
    ["shoe.change", dialogs.shoes.open, ""],
    ["help", help, "?"],
  ];
  find("more").append(...more.map(([name, open, key]) => moreButton(name, open, key)));
  listen({ announcements, pad, call: dialogs.reasons.open, wagers: dialogs.wagers.open, help });
  say(find("stale"), text("stale"));
  say(find("late"), text("late"));
  find("who").addEventListener("click", () => (person ? login.leave() : login.open("", true)));
  showPerson();
  return [
    showHeader,
    makeHand(find("player"), "player"),
    makeHand(find("banker"), "banker"),
    handlerOf("player"),
    handlerOf("banker"),
    makeNow(find("now")),
    makeGuide(find("guide")),
    (now) => showDevices(find("devices"), now),
    pad.show,
    (now) => announcements.show(now, !person || ANNOUNCERS.includes(person.role)),
    dialogs.wagers.show,
    dialogs.shoes.show,
  ];
}

function moreButton(name, open, key) {
  const button = html(
    "button",
    { type: "button", "data-name": name },
    text(name),
    ...(key ? [html("kbd", {}, key)] : []),
  );
  button.addEventListener("click", open);
  return button;
}

/** Who handles the cards of a hand, beside its name. */
function handlerOf(hand) {
  const handler = html("small", { class: "handler" });
  find(hand).querySelector("h2").append(handler);
  return ({ floor }) => {
    if (!(hand in floor.assigned)) return say(handler, "");
    const seat = floor.assigned[hand];
    return say(handler, seat === null ? text("handler.dealer") : text("handler.seat", { seat }));
  };
}

function showPerson() {
  say(find("who"), person ? `${person.name} \u00b7 ${text("logout")}` : text("login"));
}

async function show(state) {
  // Between shoes nothing is lost by starting afresh, and a page that runs for weeks stays young.
  if (shoe && state.shoe.number && state.shoe.number !== shoe) location.reload();
  shoe = state.shoe.number ?? shoe;
  latest = state;
  parts ??= make(state);
  for (const part of parts) part(state);
}

function begin() {
  stop?.();
  stop = follow(
    "dealer",
    show,
    (stale, late) => {
      find("stale").hidden = !stale;
      find("late").hidden = !late;
      document.body.classList.toggle("stale", stale);
    },
    () => login.resume(text(latest ? "login.ended" : "login.first")),
  );
}

async function start() {
  const { name, ...settings } = await table();
  await loadText(wanted(settings), "dealer");
  say(find("stale"), text("stale"));
  login = makeLogin(find("login"), {
    title: name,
    roles: ["dealer", "supervisor", "engineer"],
    onEnter: (who) => {
      person = who;
      begin();
      showPerson();
    },
    onLeave: () => {
      person = undefined;
      showPerson();
    },
  });
  const { done } = await get("/api/session");
  if (done?.role) person = done;
  showPerson();
  begin();
}

/** The table as the public board names it: for its language, before anybody has logged in. */
async function table() {
  for (;;) {
    const { done } = await get("/api/snapshot", { view: "board" });
    if (done) return done.table;
    await new Promise((soon) => setTimeout(soon, 1000));
  }
}

start();
