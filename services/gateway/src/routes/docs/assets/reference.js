// @ts-nocheck: this runs in the browser, the rest of the project in Node.js.

// Swagger UI is dark when the root element says so.
const dark = matchMedia('(prefers-color-scheme: dark)');
const followReader = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followReader);
followReader();

// A token lives as long as the tab: a page that is loaded again has it, no other tab and no later one does.
const TOKEN = 'action-platform-token';
const keepToken = (original) => (payload) => {
  const [{ value }] = Object.values(payload);
  sessionStorage.setItem(TOKEN, value);
  return original(payload);
};
const forgetToken = (original) => (payload) => {
  sessionStorage.removeItem(TOKEN);
  return original(payload);
};

/** A sample of how to make a call, from Swagger UI's description of it. */
const sample = (write) => (request) => {
  const { url, method, headers = {}, body } = request.toJS();
  const { 'Content-Type': type, ...others } = headers;
  return write({
    url,
    method,
    headers: type === undefined ? others : { ...others, 'Content-Type': type },
    body,
  });
};
const javascript = sample(({ url, method, headers, body }) => {
  const options = [`method: '${method}'`, `headers: ${JSON.stringify(headers)}`];
  if (body !== undefined) options.push(`body: JSON.stringify(${body})`);
  return `const response = await fetch('${url}', {\n  ${options.join(',\n  ')},\n});\nconsole.log(await response.json());`;
});
const python = sample(({ url, method, headers, body }) => {
  const given = [`"${url}"`, `method="${method}"`, `headers=${JSON.stringify(headers)}`];
  if (body !== undefined) given.splice(1, 0, `data=${JSON.stringify(body)}.encode()`);
  return `import json, urllib.request\n\nrequest = urllib.request.Request(\n    ${given.join(',\n    ')},\n)\nprint(json.load(urllib.request.urlopen(request)))`;
});

/** The list beside the reference: every operation by group, and a search that leaves those with all its words. */
function listOperations() {
  const { paths } = ui.specSelectors.specJson().toJS();
  const list = document.getElementById('operations');
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { operationId, tags, summary }] of Object.entries(methods)) {
      const [tag] = tags;
      const link = document.createElement('a');
      link.href = `#/${tag}/${operationId}`;
      link.textContent = summary;
      const entry = document.createElement('li');
      entry.dataset.words = `${operationId} ${method} ${path} ${summary}`.toLowerCase();
      entry.append(link);
      list.append(entry);
      link.addEventListener('click', () => {
        ui.layoutActions.show(['operations-tag', tag], true);
        ui.layoutActions.show(['operations', tag, operationId], true);
        const id = `operations-${tag}-${operationId}`.replaceAll('.', '_');
        requestAnimationFrame(() => {
          const shown =
            document.getElementById(id) ?? document.getElementById(`operations-${tag}-${operationId}`);
          shown?.scrollIntoView();
        });
      });
    }
  }
  document.getElementById('search').addEventListener('input', ({ target }) => {
    const words = target.value.toLowerCase().split(/\s+/);
    for (const entry of list.children)
      entry.hidden = !words.every((word) => entry.dataset.words.includes(word));
  });
}

const ui = SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // Schemas are shown where they are used.
  defaultModelsExpandDepth: -1,
  // Nothing outlives the tab, and nobody else is asked whether the document is valid.
  persistAuthorization: false,
  validatorUrl: null,
  requestSnippetsEnabled: true,
  requestSnippets: {
    generators: {
      curl_bash: { title: 'curl', syntax: 'bash' },
      javascript: { title: 'JavaScript', syntax: 'javascript' },
      python: { title: 'Python', syntax: 'python' },
    },
  },
  plugins: [
    {
      fn: { requestSnippetGenerator_javascript: javascript, requestSnippetGenerator_python: python },
      statePlugins: { auth: { wrapActions: { authorize: keepToken, logout: forgetToken } } },
    },
  ],
  onComplete: () => {
    const token = sessionStorage.getItem(TOKEN);
    if (token !== null)
      for (const scheme of ['memberSession', 'grantSecret']) ui.preauthorizeApiKey(scheme, token);
    listOperations();
  },
});
