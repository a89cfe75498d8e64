import { type Html, html } from '../html.ts';
import {
  type Addressed,
  type Documented,
  type DocumentedOperation,
  type DocumentedResponse,
  resolved,
  type Schema,
} from './document.ts';
import { fieldItem, fieldsOf } from './fields.ts';
import { inlineMarkdown, markdown } from './inline-markdown.ts';
import { trial } from './trial.ts';

/** The part of the page that is about an operation; links to it lead here. */
export function anchorOf({ operationId, tags: [tag] }: DocumentedOperation): string {
  return `/${tag}/${operationId}`;
}

/** Everything about one operation: what it takes, what it answers with, how to call it, and a form that does. */
export function operationSection(document: Documented, addressed: Addressed): Html {
  const { method, path, operation } = addressed;
  const { summary, description, deprecated, parameters, responses } = operation;
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  const body = operation.requestBody?.content['application/json'];
  return html`<article class="operation" id="${anchorOf(operation)}">
<h3>${summary}${deprecated ? html` <small>deprecated</small>` : ''}</h3>
<p class="address"><code><strong>${method.toUpperCase()}</strong> ${path}</code></p>
${markdown(description)}${
  parameters.length === 0
    ? ''
    : html`<h4>Parameters</h4>
<ul class="fields">
${parameters.map(({ name, in: place, required, description, schema }) =>
  fieldItem(document, {
    name: place === 'path' ? `{${name}}` : name,
    isRequired: required === true,
    schema: {
      ...schema,
      ...(description === undefined ? {} : { description: `In the ${place}. ${description}` }),
    },
  }),
)}</ul>
`
}${body === undefined ? '' : html`<h4>Body</h4>\n${bodyFields(document, body.schema)}`}<h4>Call</h4>
${samples(operation)}
${answers.map(([status, response]) => answer(document, status, response))}
<details>
<summary>Refusals</summary>
<ul>
${refusals.map(([status, { description }]) => html`<li>${status} ${inlineMarkdown(description)}</li>\n`)}</ul>
</details>
${trial(addressed)}
</article>
`;
}

function bodyFields(document: Documented, schema: Schema): Html {
  const fields = fieldsOf(document, schema);
  return fields.text === '' ? html`<p>An empty object: <code>{}</code>.</p>\n` : fields;
}

/** One sample is open at a time. */
function samples({ operationId, 'x-codeSamples': written }: DocumentedOperation): Html {
  return html`${written.map(
    (
      { label, source },
      index,
    ) => html`<details class="sample" name="samples-${operationId}"${index === 0 ? html` open` : ''}>
<summary>${label}</summary>
${code(source)}
</details>
`,
  )}`;
}

function answer(
  document: Documented,
  status: string,
  { description, headers, content = {} }: DocumentedResponse,
): Html {
  const [[mediaType, { schema, example }] = ['', { schema: {} }]] = Object.entries(content) as [
    string,
    { schema: object; example?: unknown },
  ][];
  return html`<h4>Answer: ${status}</h4>
<p>${inlineMarkdown(description)}</p>
${example === undefined ? html`<p>As <code>${Object.keys(content).join(', ')}</code>.</p>` : code(JSON.stringify(example, null, 2))}
<details>
<summary>Fields and headers of the answer</summary>
${mediaType === 'application/json' ? fieldsOf(document, schema) : ''}<ul class="fields">
${Object.entries(headers).map(([name, header]) => {
  const { description } = resolved<{ description: string }>(document, header);
  return html`<li><code>${name}</code> <small>header</small><p>${inlineMarkdown(description)}</p></li>\n`;
})}</ul>
</details>`;
}

/** Code that scrolls where it is too wide, by keyboard too. */
function code(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}
