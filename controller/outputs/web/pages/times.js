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

/** How long ago something began, `at` in milliseconds: `12 s`, `4 min`. */
export function age(at) {
  const seconds = Math.max(0, Math.round((Date.now() - at) / 1000));
  return seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
