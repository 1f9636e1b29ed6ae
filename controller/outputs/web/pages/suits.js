// The four suits as shapes, in a box of 100 by 100.

import { svg } from "./make.js";

const PATHS = {
  H: "M50 92C22 68 5 51 5 30 5 16 16 7 28 7c10 0 18 6 22 16C54 13 62 7 72 7c12 0 23 9 23 23 0 21-17 38-45 62Z",
  D: "M50 3C59 22 72 39 88 50 72 61 59 78 50 97 41 78 28 61 12 50 28 39 41 22 50 3Z",
  S: "M50 4c6 18 43 40 43 63 0 14-12 20-22 18-7-1-13-5-16-11 1 12 5 18 13 22H32c8-4 12-10 13-22-3 6-9 10-16 11C19 87 7 81 7 67 7 44 44 22 50 4Z",
  C: "M50 4a21 21 0 0 1 17 33c-1 2-3 4-4 5a21 21 0 1 1-8 31c0 11 5 19 13 23H32c8-4 13-12 13-23a21 21 0 1 1-8-31c-1-1-3-3-4-5A21 21 0 0 1 50 4Z",
};

/** A suit of `size`, its middle at `x`, `y`; `down`: upside down. */
export const suit = (letter, x, y, size, down = false) =>
  svg("path", {
    d: PATHS[letter],
    transform: `translate(${x} ${y}) rotate(${down ? 180 : 0}) scale(${size / 100}) translate(-50 -50)`,
  });
