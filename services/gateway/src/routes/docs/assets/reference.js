// @ts-nocheck: this runs in the browser, the rest of the project in Node.js.

// The search shows the operations that have all its words.
const search = document.getElementById('search');
search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\s+/);
  for (const entry of document.querySelectorAll('[data-words]'))
    entry.hidden = !words.every((word) => entry.dataset.words.includes(word));
});
