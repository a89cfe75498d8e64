// @ts-nocheck: this runs in the browser, the rest of the project in Node.js.

// The token is in sessionStorage: it survives a reload of the tab, and no other tab has it.
const TOKEN = 'action-platform-token';
const token = document.getElementById('token');
token.value = sessionStorage.getItem(TOKEN) ?? '';
token.addEventListener('input', () => sessionStorage.setItem(TOKEN, token.value.trim()));

// The search shows the operations that have all its words.
const search = document.getElementById('search');
search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\s+/);
  for (const entry of document.querySelectorAll('[data-words]'))
    entry.hidden = !words.every((word) => entry.dataset.words.includes(word));
});

/** The request that a form describes. */
function requestOf({ dataset, elements }) {
  const headers = dataset.token === undefined ? {} : { Authorization: `Bearer ${token.value.trim()}` };
  const query = new URLSearchParams();
  let path = dataset.path;
  for (const { name, value, dataset } of elements) {
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    if (dataset.in === 'query' && value !== '') query.set(name, value);
    if (dataset.in === 'header' && value !== '') headers[name] = value;
  }
  const body = elements.body?.value;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  return [query.size === 0 ? path : `${path}?${query}`, { method: dataset.method, headers, body }];
}

/** An answer's text; JSON is indented, with its numbers unchanged. */
function readable(text, type) {
  if (!type?.startsWith('application/json')) return text;
  return JSON.stringify(
    JSON.parse(text, (_name, value, { source }) =>
      typeof value === 'number' && source !== String(value) ? JSON.rawJSON(source) : value,
    ),
    null,
    2,
  );
}

for (const form of document.querySelectorAll('.trial form')) {
  const [status, body] = form.nextElementSibling.children;
  const show = (outcome, text) => {
    status.textContent = outcome;
    body.textContent = text;
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    show('…', '');
    try {
      const begun = performance.now();
      const response = await fetch(...requestOf(form));
      const text = await response.text();
      const took = Math.round(performance.now() - begun);
      const id = response.headers.get('x-request-id');
      show(
        `${response.status} ${response.statusText}, ${took} ms, request ${id}`,
        readable(text, response.headers.get('content-type')),
      );
    } catch (failure) {
      show('No answer', String(failure));
    }
  });
}
