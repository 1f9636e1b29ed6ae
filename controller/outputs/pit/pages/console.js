// The pit console: every table of the pit, and what nobody there has answered. Orders are given at the table's page.

import { makeAlarms } from "./alarms.js";
import { get } from "./ask.js";
import { makeLogin } from "./login.js";
import { say } from "./make.js";
import { makeSound } from "./sound.js";
import { follow } from "./stream.js";
import { loadText, text, wanted } from "./text.js";
import { makeWall, sorted } from "./wall.js";

const RETRY_MS = 1000;
const find = (id) => document.getElementById(id);

let stop;
let login;
let person;
let latest;
let parts;

function make(name) {
  const wall = makeWall(find("tables"));
  const alarms = makeAlarms(find("alarms"), find("newest"), name);
  const sound = makeSound(find("sound"));
  say(find("stale"), text("stale"));
  return (tables) => {
    const rows = sorted(Object.entries(tables).map(([key, table]) => ({ key, ...table })));
    wall(rows);
    sound(alarms(rows));
    say(find("summary"), summary(rows));
  };
}

function summary(rows) {
  const count = (kind, which) => {
    const found = rows.filter(which).length;
    return found ? text(kind, { count: found }) : "";
  };
  return [
    text("tables", { count: rows.length }),
    count("tables.held", ({ rank }) => rank === 0),
    count("tables.blocked", ({ rank }) => rank === 1),
    count("tables.lost", ({ reach }) => reach !== "up"),
  ]
    .filter(Boolean)
    .join(" \u00b7 ");
}

function begin(name) {
  stop?.();
  stop = follow(
    null,
    (tables) => {
      latest = tables;
      parts ??= make(name);
      parts(latest);
    },
    (stale) => {
      find("stale").hidden = !stale;
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
  const { name, ...settings } = await about();
  await loadText(wanted(settings), "dealer", "console");
  say(find("title"), name);
  document.title = name;
  login = makeLogin(find("login"), {
    title: name,
    roles: ["supervisor", "engineer"],
    onEnter: (who) => {
      person = who;
      showPerson();
      begin(name);
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

async function about() {
  for (;;) {
    const { done } = await get("/api/about");
    if (done) return done;
    await new Promise((soon) => setTimeout(soon, RETRY_MS));
  }
}

start();
