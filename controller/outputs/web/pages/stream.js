// The event stream: the latest state, whether it is alive, and reconnecting for ever.

const QUIET_MS = 2600; // longer silence: what is shown may be out of date
const DEAD_MS = 8000; // longer silence: the connection only looks alive
const CHECK_MS = 200; // so that staleness shows within three seconds
const RETRY_MS = 2000;
const TRIES_TO_RELOAD = 15;

/** Follow a view. `onState(state)` at every change, `onStale(yes)` while nothing is heard. */
export function follow(view, onState, onStale) {
  let source;
  let state = {};
  let heard = performance.now();
  let opened = 0;
  let tries = 0;

  const alive = () => {
    heard = performance.now();
    onStale(false);
  };

  function open() {
    opened = performance.now();
    source = new EventSource(`/events?view=${view}`);
    source.addEventListener("snapshot", (event) => {
      tries = 0;
      show(JSON.parse(event.data));
    });
    // The roads are left out while they are as before.
    source.addEventListener("state", (event) => show({ ...state, ...JSON.parse(event.data) }));
    source.addEventListener("tick", alive);
  }

  function show(next) {
    state = next;
    alive();
    onState(state);
  }

  async function check() {
    const now = performance.now();
    onStale(now - heard > QUIET_MS);
    const closed = source.readyState === EventSource.CLOSED && now - opened > RETRY_MS;
    if (!closed && now - Math.max(heard, opened) < DEAD_MS) return;
    // An event source that got an answer it did not like never tries again by itself.
    source.close();
    open();
    tries += 1;
    if (tries % TRIES_TO_RELOAD === 0 && (await reachable())) location.reload();
  }

  open();
  setInterval(check, CHECK_MS);
}

/** A page that was reloaded without a server would be gone for good. */
const reachable = () =>
  fetch("/").then(
    (answer) => answer.ok,
    () => false,
  );
