// The roads of the shoe, as they were computed: this page only draws them.

import { makeGrid } from "./grid.js";
import { DERIVED, bead, ring } from "./marks.js";
import { text } from "./text.js";

/** Columns: 99 of 100 shoes of eight decks have no more. */
const LONG = 48;

/** Fill the figures; the answer draws a shoe's roads in them. */
export function makeRoads(find) {
  const grid = (name, shape, long) => {
    const figure = find(name);
    figure.dataset.label = text(name);
    return makeGrid(figure, shape, text(name), long);
  };
  const plate = grid("bead_plate", bead);
  const big = grid("big_road", ring, LONG);
  const derived = Object.entries(DERIVED).map(([name, shape]) => [name, grid(name, shape, LONG)]);
  let shown;

  return (roads) => {
    if (roads === shown) return;
    shown = roads;
    plate(roads.bead_plate);
    const waiting = roads.pending_ties ? [{ row: 0, col: 0, outcome: null, ties: roads.pending_ties }] : [];
    big([...roads.big_road, ...waiting]);
    for (const [name, paint] of derived) paint(roads[name]);
  };
}
