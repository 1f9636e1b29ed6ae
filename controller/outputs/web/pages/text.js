// The words of the page, from one file for each language.

let words = {};

/** Load a language; a language that is not there leaves English. */
export async function loadText(language) {
  for (const name of [language, "en"]) {
    const answer = await fetch(`/text/${name}.json`);
    if (answer.ok) {
      words = await answer.json();
      document.documentElement.lang = name;
      return;
    }
  }
}

/** The words of a key, with its {gaps} filled. */
export function text(key, gaps = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => gaps[name]);
}
