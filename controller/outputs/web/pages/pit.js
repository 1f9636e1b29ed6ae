// The supervisor's page: tables at a glance, alerts, decisions, the record.

import { makeAlerts, sorted } from "./alerts.js";
import { get, post } from "./ask.js";
import { makeCall } from "./call.js";
import { makeDecide, makeOrders } from "./decide.js";
import { showDevices } from "./devices.js";
import { makeHand } from "./hand.js";
import { makeLogin } from "./login.js";
import { say } from "./make.js";
import { makeRecordPage } from "./recordpage.js";
import { makeRoads } from "./roads.js";
import { makeShoePage } from "./shoepage.js";
import { makeSound } from "./sound.js";
import { follow } from "./stream.js";
import { makeSystemPage } from "./systempage.js";
import { makeTabs } from "./tabs.js";
import { keys, loadText, text, wanted } from "./text.js";
import { makeTile } from "./tile.js";
import { makeToast } from "./toast.js";

const find = (id) => document.getElementById(id);
const TABS = ["decide", "orders", "record", "statistics", "system"];
const AGAIN_MS = 5000;

let toast;
let login;
let person;
let stop;
let parts;
let latest;
let chosen = null;
let newest = 0; // the irregularity that came last
let tab = "decide";
let mine; // the irregularity that was answered from here last

/** Carry an order out; whether it was done. */
async function give(body) {
  mine = body.irregularity;
  const { refused, status } = await post("/api/order", body);
  if (status === 401) login.open(text("login.ended"));
  else toast(refused ?? text("done", { order: text(`order.${body.order}`) }), refused ? "refused" : "done");
  return !refused;
}

function make() {
  const codes = keys("code.").filter((code) => code !== "hold");
  const pages = {
    record: makeRecordPage(find("record"), codes),
    statistics: makeShoePage(find("statistics")),
    system: makeSystemPage(find("system")),
  };
  const decide = makeDecide(find("decide"), give);
  const orders = makeOrders(find("orders"), give);
  const tile = makeTile(find("tile"));
  const sound = makeSound(find("sound"));
  const alerts = makeAlerts(find("alerts"), (id) => {
    chosen = id;
    open("decide");
    show(latest);
  });
  const open = makeTabs(find("tabs"), TABS, (name) => {
    tab = name;
    pages[name]?.(latest);
  });
  // Statistics and health go on while they are looked at; a search stays as it was asked.
  setInterval(() => ["statistics", "system"].includes(tab) && person && pages[tab](latest), AGAIN_MS);
  say(find("stale"), text("stale"));
  say(find("late"), text("late"));
  say(find("title"), text("pit"));
  const live = [
    makeHand(find("player"), "player"),
    makeHand(find("banker"), "banker"),
    makeCall(find("call")),
  ];
  const roads = makeRoads(find);
  return (state) => {
    const first = sorted(state.irregularities)[0];
    const gone = !state.irregularities.some(({ id }) => id === chosen);
    if (gone && chosen !== null && chosen !== mine && decide.busy()) toast(text("decided"), "done");
    const urgent = first?.severity === "stop" && first.id > newest && !decide.busy();
    if (gone || urgent) chosen = first?.id ?? null;
    newest = Math.max(newest, ...state.irregularities.map(({ id }) => id));
    for (const part of live) part(state);
    roads(state.roads);
    tile(state);
    alerts(state, chosen);
    sound(state.irregularities);
    decide.show(state, chosen);
    orders(state);
    showDevices(find("devices"), state);
  };
}

function show(state) {
  latest = state;
  parts ??= make();
  parts(state);
}

function begin() {
  stop?.();
  stop = follow(
    "pit",
    show,
    (stale, late) => {
      find("stale").hidden = !stale;
      find("late").hidden = !late;
      document.body.classList.toggle("stale", stale);
    },
    () => login.resume(text(latest ? "login.ended" : "login.first")),
  );
}

function showPerson() {
  say(find("who"), person ? `${person.name} \u00b7 ${text("logout")}` : text("login"));
  document.body.classList.toggle("away", !person);
}

async function start() {
  const { name, ...settings } = await table();
  await loadText(wanted(settings), "dealer", "pit");
  toast = makeToast(find("toast"));
  login = makeLogin(find("login"), {
    title: `${name} \u00b7 ${text("pit")}`,
    roles: ["supervisor", "engineer"],
    onEnter: (who) => {
      person = who;
      showPerson();
      begin();
    },
    onLeave: () => {
      person = undefined;
      showPerson();
    },
  });
  find("who").addEventListener("click", () => (person ? login.leave() : login.open()));
  showPerson();
  await login.resume(text("login.first"));
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
