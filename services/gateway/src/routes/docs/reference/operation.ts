import { consoleRoutes, executionPath } from '@action-platform/contracts/routes';
import type { JsonSchema } from '@action-platform/contracts/schema';
import type { OpenApiDocument } from '../../openapi/document.ts';
import { type Html, html } from '../html.ts';
import { inlineMarkdown, markdown } from '../markdown.ts';
import { type Addressed, type DocumentedOperation, resolved } from './document.ts';
import { fieldItem, fieldsOf } from './fields.ts';

/** The id of an operation's section of the page, the target of links. */
export function anchorOf({ operationId, tags: [tag] }: DocumentedOperation): string {
  return `/${tag}/${operationId}`;
}

/** An HTTP method as a label. */
export function methodLabel(method: string): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`;
}

/** The section of an operation: its input and its errors, beside samples and an answer. @param hasConsole whether it can be tried there */
export function operationSection(
  document: OpenApiDocument,
  { method, path, operation }: Addressed,
  hasConsole: boolean,
): Html {
  const { summary, description, deprecated, requestBody, responses } = operation;
  const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  return html`<article class="operation" id="${anchorOf(operation)}">
<div>
<h3>${summary}${deprecated ? html` <small>deprecated</small>` : ''}</h3>
<p>${methodLabel(method)} <code>${path}</code></p>
${markdown(description)}
${parameters(document, operation)}
${requestBody === undefined ? '' : html`<h4>Body</h4>\n${bodyFields(document, requestBody.content['application/json'].schema)}`}
<details>
<summary>Errors</summary>
<ul>
${refusals.map(([status, { description }]) => html`<li>${status} ${inlineMarkdown(description)}</li>\n`)}</ul>
</details>
${hasConsole && path === executionPath(operation.operationId) ? tryIt(operation) : ''}
</div>
<div>
${samples(operation)}
${answers(document, operation)}
</div>
</article>
`;
}

/** A link to the operation in the playground of the console. */
function tryIt({ operationId }: DocumentedOperation): Html {
  return html`<p><a href="${consoleRoutes.home.path}/playground?operation=${operationId}">Try it</a></p>`;
}

function parameters(document: OpenApiDocument, { parameters }: DocumentedOperation): Html {
  if (parameters.length === 0) return html``;
  const items = parameters.map(({ name, in: place, required = false, description = '', schema }) =>
    fieldItem(document, {
      name: place === 'path' ? `{${name}}` : name,
      isRequired: required,
      schema: { ...schema, description: `In the ${place}. ${description}` },
    }),
  );
  return html`<h4>Parameters</h4>\n<ul class="fields">\n${items}</ul>`;
}

function bodyFields(document: OpenApiDocument, schema: JsonSchema): Html {
  const fields = fieldsOf(document, schema);
  return fields.text === '' ? html`<p>An empty object: <code>{}</code>.</p>` : fields;
}

/** The samples of a call, of which one is open at a time. */
function samples({ operationId, 'x-codeSamples': written }: DocumentedOperation): Html {
  const sample = ({ label, source }: (typeof written)[number], index: number) =>
    html`<details class="sample" name="samples-${operationId}"${index === 0 ? html` open` : ''}>
<summary>${label}</summary>
${code(source)}
</details>
`;
  return html`<h4>Request</h4>\n${written.map(sample)}`;
}

function answers(document: OpenApiDocument, { responses }: DocumentedOperation): Html {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return html`${successes.map(([status, { description, content }]) => {
    const { schema, example } = content!['application/json'] ?? {};
    const heading = html`<h4>Response ${status}</h4>\n<p>${inlineMarkdown(description)}</p>`;
    if (schema === undefined) return heading;
    return html`${heading}
${code(JSON.stringify(example, null, 2))}
<details>
<summary>Fields</summary>
${fieldsOf(document, resolved(document, schema))}</details>`;
  })}`;
}

/** Code that scrolls where it is too wide, by keyboard too. */
function code(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}
