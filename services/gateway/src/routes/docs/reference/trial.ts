import { EVENT_STREAM } from '@action-platform/contracts';
import { type Html, html } from '../html.ts';
import type { Addressed, DocumentedOperation } from './document.ts';

/** Whether the answer of an operation has no end, so that no form can show it. */
export function isStream({ responses }: DocumentedOperation): boolean {
  return responses['200']?.content?.[EVENT_STREAM] !== undefined;
}

/** A form that makes a call with the token of the page; `assets/reference.js` sends it. */
export function trial({ method, path, operation }: Addressed): Html {
  const { operationId, summary, parameters, requestBody, security } = operation;
  const body = requestBody?.content['application/json'];
  return html`<details class="trial">
<summary>Try it</summary>
<form data-method="${method.toUpperCase()}" data-path="${path}"${security.length === 0 ? '' : html` data-token`}>
${parameters.map((parameter) => parameterInput(operationId, parameter))}${
  body === undefined
    ? ''
    : html`<label for="${operationId}-body">Body</label>
<textarea id="${operationId}-body" name="body" rows="${JSON.stringify(body.example, null, 2).split('\n').length}" spellcheck="false">
${JSON.stringify(body.example, null, 2)}</textarea>
`
}<button aria-label="Send ${summary}">Send</button>
</form>
<output aria-label="Answer to ${summary}"><p></p><pre tabindex="0"></pre></output>
</details>`;
}

/** Path parameters are required and have an example; the others begin empty. */
function parameterInput(
  operationId: string,
  { name, in: place, required, schema }: DocumentedOperation['parameters'][number],
): Html {
  const id = `${operationId}-${name}`;
  const example = required ? String(schema.examples?.[0] ?? '') : '';
  return html`<label for="${id}">${name}</label>
<input id="${id}" name="${name}" data-in="${place}" value="${example}" autocomplete="off"${required ? html` required` : ''}>
`;
}
