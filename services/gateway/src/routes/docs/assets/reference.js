// @ts-nocheck: this runs in the browser, the rest of the project in Node.js.

// Swagger UI is dark when the root element says so.
const dark = matchMedia('(prefers-color-scheme: dark)');
const followReader = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followReader);
followReader();

SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // Schemas are shown where they are used.
  defaultModelsExpandDepth: -1,
  // A token lives as long as the page and is stored nowhere; nobody else is asked whether the document is valid.
  persistAuthorization: false,
  validatorUrl: null,
});
