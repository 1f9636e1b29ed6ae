// The event stream: the latest state, whether it is alive, and reconnecting for ever.

import { setNow } from "./times.js";

const QUIET_MS = 2600; // longer silence: what is shown may be out of date
const LATE_MS = 1600; // longer silence than this is a delay
const DEAD_MS = 8000; // longer silence: the connection only looks alive
const CHECK_MS = 200; // so that staleness shows within three seconds
const RETRY_MS = 2000;
const TRIES_TO_RELOAD = 15;
const SHOWN_MS = 5000; // so often the page says that it shows something

/**
 * Follow a view, or all there is where it is null; the answer stops it. `onState(state)` at every change, `onStale(yes, late)` all the time
 * (`late`: the record is behind, or a tick is overdue), `onRefused()` when the server gave no stream.
 */
export function follow(view, onState, onStale, onRefused = () => {}) {
  let source;
  let state = {};
  let heard = performance.now();
  let opened = 0;
  let tries = 0;
  let late = false;
  let refused = false;
  let shown = 0;

  const alive = () => {
    heard = performance.now();
    onStale(false, late);
  };

  function open() {
    opened = performance.now();
    refused = false;
    source = new EventSource(view ? `/events?view=${view}` : "/events");
    source.addEventListener("snapshot", (event) => {
      tries = 0;
      show(JSON.parse(event.data));
    });
    // The roads are left out while they are as before; and of many tables only the one comes that has changed.
    for (const part of ["state", "table"])
      source.addEventListener(part, (event) => show({ ...state, ...JSON.parse(event.data) }));
    source.addEventListener("tick", (event) => {
      const said = JSON.parse(event.data);
      late = said.late ?? false;
      if (said.now) setNow(said.now * 1000);
      alive();
    });
  }

  function show(next) {
    state = next;
    alive();
    onState(state);
  }

  async function check() {
    const now = performance.now();
    onStale(now - heard > QUIET_MS, late || now - heard > LATE_MS);
    if (view && now - heard < QUIET_MS && now - shown > SHOWN_MS) {
      shown = now;
      fetch(`/api/shown?view=${view}`, { method: "POST" }).catch(() => {});
    }
    const closed = source.readyState === EventSource.CLOSED;
    if (closed && !refused) {
      refused = true;
      onRefused();
    }
    if (!(closed && now - opened > RETRY_MS) && now - Math.max(heard, opened) < DEAD_MS) return;
    // An event source that got an answer it did not like never tries again by itself.
    source.close();
    open();
    tries += 1;
    if (tries % TRIES_TO_RELOAD === 0 && (await reachable())) location.reload();
  }

  open();
  const checking = setInterval(check, CHECK_MS);
  return () => {
    clearInterval(checking);
    source.close();
  };
}

/** A page that was reloaded without a server would be gone for good. */
const reachable = () =>
  fetch(location.pathname).then(
    (answer) => answer.ok,
    () => false,
  );
