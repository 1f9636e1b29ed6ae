// Times as people read them.

/** The clock time of an RFC 3339 text, with the day where it is another one. */
export function clock(wall) {
  const at = new Date(wall);
  const time = at.toLocaleTimeString([], {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hour12: false,
  });
  return at.toDateString() === new Date().toDateString() ? time : `${at.toLocaleDateString()} ${time}`;
}

// The clock of this screen may be wrong, and may be put right at any moment.
let zero = Date.now() - performance.now();

/** Milliseconds since 1970, by the server's clock where it has told, and never with a jump of this screen's. */
export const now = () => zero + performance.now();

/** What the server's clock says, in milliseconds. */
export const setNow = (time) => (zero = time - performance.now());

/** How long ago something began, `at` in milliseconds of `now()`: `12 s`, `4 min`, `3 h`. */
export function age(at) {
  const seconds = Math.max(0, Math.round((now() - at) / 1000));
  if (seconds < 100) return `${seconds} s`;
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
