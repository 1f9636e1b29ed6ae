// Requests to the table: what is asked, announced and ordered.

import { text } from "./text.js";

/** Post JSON; `{done}` with the answer, or `{refused, status}` with the reason in words. */
export async function post(path, body = {}) {
  return answered(
    fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
}

/** Get JSON; as `post`. `query`: an object or a list of pairs; those that are null or empty are left out. */
export async function get(path, query = {}) {
  const given = (Array.isArray(query) ? query : Object.entries(query)).filter(
    ([, value]) => value !== null && value !== undefined && value !== "",
  );
  return answered(fetch(`${path}?${new URLSearchParams(given)}`));
}

async function answered(request) {
  try {
    const answer = await request;
    const said = await answer.json().catch(() => ({}));
    if (answer.ok) return { done: said };
    return { refused: said.refused ?? answer.statusText, status: answer.status };
  } catch {
    return { refused: text("unreachable"), status: 0 };
  }
}
