// What the table answered when it did not do as asked: shown for a while.

import { say } from "./make.js";

const SHOWN_MS = 8000;

/** Say it in the element, above whatever dialog is open. */
export function makeToast(element) {
  let timer;
  element.popover = "manual";
  return (words, kind = "refused") => {
    clearTimeout(timer);
    element.className = kind;
    say(element, words);
    element.hidePopover();
    element.showPopover();
    timer = setTimeout(() => element.hidePopover(), SHOWN_MS);
  };
}
