// One irregularity: what it is, what may be ordered, and the evidence.

import { SIGNS } from "./alerts.js";
import { get } from "./ask.js";
import { spelled } from "./chips.js";
import { evidence, titleOf } from "./evidence.js";
import { html, say } from "./make.js";
import { makeOrderForm } from "./orderform.js";
import { links } from "./recordpage.js";
import { text } from "./text.js";

/**
 * Fill the section. `show(state, id)`: the irregularity of this number; null: the table as it is being dealt.
 * `busy()`: somebody is filling in an order.
 */
export function makeDecide(section, give) {
  const live = document.getElementById("live");
  const heading = html("div", { class: "heading" });
  const choices = html("div", { class: "choices-of" });
  const proof = html("div", { class: "proof" });
  const report = html("p", { class: "exports" });
  section.append(heading, html("div", { class: "columns" }, choices, proof));
  const form = makeOrderForm(choices, give);
  let shown = null;
  let fetched = "";

  async function fetchEvidence(id, seq) {
    const wanted = `${id} ${seq}`;
    if (wanted === fetched) return;
    fetched = wanted;
    const { done } = await get("/api/evidence", { irregularity: id });
    if (done && wanted === fetched) proof.replaceChildren(evidence(done));
  }

  function show(state, id) {
    const one = state.irregularities.find((other) => other.id === id);
    live.hidden = Boolean(one);
    heading.hidden = choices.hidden = proof.hidden = !one;
    if (!one) {
      shown = null;
      return;
    }
    if (shown !== id) {
      shown = id;
      proof.replaceChildren();
      heading.className = `heading ${one.severity}`;
      heading.replaceChildren(
        html("i", { "aria-hidden": "true" }, SIGNS[one.severity]),
        html("h2", {}, titleOf(one.code)),
        html(
          "p",
          {},
          [`#${one.id}`, text(`severity.${one.severity}`), one.round && text("round", { number: one.round })]
            .filter(Boolean)
            .join(" \u00b7 "),
        ),
        html("p", { class: "detail" }, ...spelled(one.detail)),
        ...(one.citation ? [html("p", { class: "cites" }, one.citation)] : []),
        ...(one.says ? [html("p", { class: "says" }, one.says)] : []),
        report,
      );
      links(report, { irregularity: id }, ["html", "json"], "report");
    }
    form.show(state, one.remedies, { irregularity: one.id });
    fetchEvidence(id, state.seq);
  }

  return { show, busy: form.busy };
}

/** The panel of orders that answer no irregularity. */
export function makeOrders(section, give) {
  const note = html("p", { class: "quiet" });
  const at = html("div");
  section.append(note, at);
  const form = makeOrderForm(at, give);
  const remedy = (order) => ({
    order,
    proposed: false,
    given: [],
    says: "",
    citation: null,
    source: "derived",
    second: false,
  });
  return (state) => {
    say(note, state.wait ? text("orders.held") : "");
    const open = state.floor.open ? "close_table" : "open_table";
    form.show(
      state,
      [
        "correct_card",
        "resynchronise",
        "void_round",
        "reinstate_round",
        "annotate",
        open,
        "new_shoe",
        "end_shoe",
      ].map(remedy),
    );
  };
}
