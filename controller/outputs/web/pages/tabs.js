// Tabs: one panel at a time, by touch, or by the arrow keys.

import { html } from "./make.js";
import { text } from "./text.js";

/** Fill the list with a tab for each panel id; `onOpen(name)` when one is shown. The answer opens one. */
export function makeTabs(list, names, onOpen) {
  const panels = names.map((name) => document.getElementById(name));
  const tabs = names.map((name, at) => {
    const tab = html(
      "button",
      { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": name },
      text(`tab.${name}`),
    );
    panels[at].setAttribute("aria-labelledby", tab.id);
    tab.addEventListener("click", () => open(name));
    return tab;
  });
  list.append(...tabs);
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = (tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length;
    tabs[next].focus();
    open(names[next]);
  });

  function open(name) {
    names.forEach((other, at) => {
      const chosen = other === name;
      panels[at].hidden = !chosen;
      tabs[at].setAttribute("aria-selected", String(chosen));
      tabs[at].tabIndex = chosen ? 0 : -1;
    });
    onOpen(name);
  }

  open(names[0]);
  return open;
}
