// The words of the page: one file for each language, and one more for each page that people work at.

let words = {};

/** Load the first language that there is, English at the latest; `part`: a page's own words beside them. */
export async function loadText(languages, part) {
  for (const language of [...languages, "en"]) {
    const found = await load(`/text/${language}.json`);
    if (!found) continue;
    words = { ...found, ...(part && ((await load(`/text/${part}/${language}.json`)) ?? (await load(`/text/${part}/en.json`)))) };
    document.documentElement.lang = language;
    return;
  }
}

async function load(path) {
  const answer = await fetch(path);
  return answer.ok ? answer.json() : undefined;
}

/** The language asked for in the address, as `/?lang=fr`, then the table's. */
export const wanted = (table) =>
  [new URLSearchParams(location.search).get("lang"), table.language].filter((name) => /^[a-zA-Z-]+$/.test(name ?? ""));

/** The words of a key, with its {gaps} filled. */
export function text(key, gaps = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => gaps[name]);
}

/** Whether there are words for a key. */
export const hasText = (key) => key in words;

/** A number as the language writes it. */
export const number = (value) => new Intl.NumberFormat(document.documentElement.lang).format(value);
