// The words of the page: one file for each language, and one more for each page that people work at.

let words = {};

/** Load the first language that there is, English at the latest; `parts`: a page's own words beside the board's. */
export async function loadText(languages, ...parts) {
  for (const language of [...languages, "en"]) {
    const found = await Promise.all(
      ["", ...parts].map((part) => load(`/text/${part && `${part}/`}${language}.json`)),
    );
    if (found.includes(undefined)) continue;
    words = Object.assign({}, ...found);
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
  [new URLSearchParams(location.search).get("lang"), table.language].filter((name) =>
    /^[a-zA-Z-]+$/.test(name ?? ""),
  );

/** The words of a key, with its {gaps} filled. */
export function text(key, gaps = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => gaps[name]);
}

/** Whether there are words for a key. */
export const hasText = (key) => key in words;

/** What follows a prefix in the keys that there are. */
export const keys = (prefix) =>
  Object.keys(words)
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length));

/** A number as the language writes it. */
export const number = (value) => new Intl.NumberFormat(document.documentElement.lang).format(value);

/** An amount of money, a decimal string: cents only where there are some. */
export const money = (amount) =>
  new Intl.NumberFormat(document.documentElement.lang, {
    minimumFractionDigits: Number(amount) % 1 ? 2 : 0,
  }).format(amount);
