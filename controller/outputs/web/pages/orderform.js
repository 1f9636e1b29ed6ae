// Giving an order: what may be ordered, what each would change, what it must say, why, and who confirms it.

import { get } from "./ask.js";
import { consequence, lying } from "./consequence.js";
import { makeFields } from "./fields.js";
import { makeHold } from "./hold.js";
import { html, say } from "./make.js";
import { text } from "./text.js";

/** Orders whose reason speaks for itself. */
const WITHOUT_REASON = ["acknowledge", "open_table", "close_table", "new_shoe", "end_shoe"];
/** Orders that cannot be taken back by another one. */
const HELD = ["new_shoe", "end_shoe"];
const NEEDS_FIELDS = ["identify_card", "correct_card", "resynchronise", "move_card"];

/** Fill the element with a form; `give(body)` carries an order out and says whether it was done. */
export function makeOrderForm(element, give) {
  let options = [];
  let base = {};
  let state;
  let key = "";
  let chosen = null;
  let tried = 0;

  const before = html("div", { class: "before" });
  const list = html("fieldset", {});
  const fieldsAt = html("div", { class: "fields-at" });
  const reason = html("input", { maxlength: 300, autocomplete: "off" });
  const reasonLabel = html("label", { class: "reason-field" }, text("field.reason"), reason);
  const name = html("input", { maxlength: 32, autocomplete: "off", autocapitalize: "none" });
  const pin = html("input", { type: "password", inputmode: "numeric", maxlength: 12, autocomplete: "off" });
  const second = html(
    "div",
    { class: "second" },
    html("p", {}, text("second.why")),
    html("label", {}, text("second.name"), name),
    html("label", {}, text("login.pin"), pin),
  );
  const submit = html("button", { class: "main", type: "submit" });
  // Stands behind the order that was chosen.
  const giving = html("div", { class: "giving" }, fieldsAt, reasonLabel, second, submit);
  const form = html("form", { class: "orderform" }, before, list);
  element.append(form);
  const held = makeHold(submit, send);
  submit.classList.remove("hold");

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!submit.classList.contains("hold")) send();
  });

  async function send() {
    const body = chosen && chosen.fields.body();
    if (!body || !form.reportValidity()) return;
    const confirmed =
      second.hidden || !name.value
        ? {}
        : { second: { name: name.value.trim().toLowerCase(), pin: pin.value } };
    submit.disabled = true;
    const ordered = chosen;
    const done = await give({
      order: chosen.order,
      ...base,
      ...body,
      reason: reason.value.trim(),
      ...confirmed,
    });
    pin.value = "";
    if (done) name.value = reason.value = "";
    // With the answer another irregularity may have come up, and its proposal be chosen.
    if (done && chosen === ordered) choose(null);
    check();
  }

  function choose(option) {
    chosen = option;
    held.end();
    for (const other of options) {
      other.radio.checked = other === option;
      other.label.classList.toggle("chosen", other === option);
    }
    fieldsAt.replaceChildren();
    giving.remove();
    if (option) {
      option.fields = makeFields(option.order, state, () => {
        check();
        tryOne(option);
      });
      fieldsAt.append(option.fields.element);
      option.label.after(giving);
      say(submit, text("carry_out", { order: text(`order.${option.order}`) }));
      submit.classList.toggle("hold", HELD.includes(option.order));
      reason.required = !WITHOUT_REASON.includes(option.order);
      second.hidden = !option.second;
      tryOne(option);
    }
    check();
  }

  function check() {
    submit.disabled = !chosen?.fields.body();
  }

  // -- what each would change --------------------------------------------------------------------------

  async function tryAll() {
    const simple = options.filter(({ order }) => !NEEDS_FIELDS.includes(order) && order !== "new_shoe");
    await tryThese(
      simple,
      simple.map(({ order }) => ({ order, ...base })),
    );
    if (chosen) tryOne(chosen);
  }

  function tryOne(option) {
    const body = NEEDS_FIELDS.includes(option.order) && option.fields?.body();
    if (body) tryThese([option], [{ order: option.order, ...base, ...body }]);
  }

  async function tryThese(which, orders) {
    if (!orders.length) return;
    const mine = ++tried;
    const { done } = await get(
      "/api/preview",
      orders.map((order) => ["order", JSON.stringify(order)]),
    );
    if (!done || (mine !== tried && which.length > 1)) return;
    which.forEach((option, at) => {
      const { preview, second: needs } = done[at];
      option.second = needs || option.second;
      option.after.replaceChildren(consequence(preview));
      option.label.classList.toggle("impossible", Boolean(preview.refused));
      if (option === chosen) second.hidden = !option.second;
    });
    before.replaceChildren(html("h4", {}, text("before")), lying(done[0].preview.before));
  }

  // -- what may be ordered -----------------------------------------------------------------------------

  function build(remedies) {
    options = remedies.map((remedy) => row(remedy));
    list.replaceChildren(html("legend", {}, text("choices")), ...options.map(({ label }) => label));
    before.replaceChildren();
    // What the rules propose without an "if" is only to be confirmed.
    choose(options.find(({ remedy }) => remedy.proposed && !remedy.given.length) ?? null);
  }

  function row(remedy) {
    const radio = html("input", { type: "radio", name: "order", value: remedy.order });
    const after = html("div");
    const label = html(
      "label",
      { class: `option ${remedy.proposed ? "proposed" : ""}`, "data-order": remedy.order },
      radio,
      html("div", {}, ...described(remedy), after),
    );
    const option = { order: remedy.order, remedy, radio, after, label, second: remedy.second };
    radio.addEventListener("change", () => {
      choose(option);
      giving.scrollIntoView({ block: "nearest" });
    });
    return option;
  }

  /** Show these orders; `about`: fields that each gets, as the irregularity. */
  function show(next, remedies, about = {}) {
    const before_ = state;
    state = next;
    base = about;
    const now = JSON.stringify([remedies, about]);
    if (now !== key) {
      key = now;
      build(remedies);
      tryAll();
    } else if (before_?.seq !== next.seq) tryAll();
  }

  /** Somebody is filling it in. */
  const busy = () => reason.value !== "" || pin.value !== "" || form.contains(document.activeElement);
  return { show, busy };
}

function described({ order, proposed, given = [], says, citation, source }) {
  return [
    html("b", {}, text(`order.${order}`)),
    ...(proposed ? [html("span", { class: "badge" }, text("proposed"))] : []),
    ...(given.length
      ? [
          html(
            "p",
            { class: "given" },
            `${text("given")} ${given.map((word) => text(`given.${word}`)).join(", ")}`,
          ),
        ]
      : []),
    html("p", { class: "does" }, text(`order.${order}.does`)),
    ...(says ? [html("p", { class: "says" }, says)] : []),
    ...(citation
      ? [
          html(
            "p",
            { class: "cites" },
            citation,
            html("span", { class: `source ${source}` }, text(`source.${source}`)),
          ),
        ]
      : []),
  ];
}
