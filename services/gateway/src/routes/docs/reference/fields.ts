import type { JsonSchema } from '@action-platform/contracts/schema';
import type { OpenApiDocument } from '../../openapi/document.ts';
import { type Html, html } from '../html.ts';
import { inlineMarkdown } from '../markdown.ts';
import { resolved } from './document.ts';

/** The fields of an object with types and descriptions, and the fields of the objects in it. */
export function fieldsOf(document: OpenApiDocument, schema: JsonSchema): Html {
  const { properties = {}, required = [], items, anyOf = [], oneOf = anyOf } = resolved(document, schema);
  const alternatives = oneOf.map((one) => fieldsOf(document, one)).filter(({ text }) => text !== '');
  if (alternatives.length > 0)
    return html`<ul class="fields">${alternatives.map(
      (fields, index) => html`<li>${index === 0 ? 'Either' : 'Or'} ${fields}</li>\n`,
    )}</ul>`;
  if (items !== undefined) return fieldsOf(document, items);
  const fields = Object.entries(properties);
  if (fields.length === 0) return html``;
  return html`<ul class="fields">
${fields.map(([name, field]) => fieldItem(document, { name, isRequired: required.includes(name), schema: field }))}</ul>
`;
}

/** A field, parameter or header. */
export function fieldItem(
  document: OpenApiDocument,
  { name, isRequired, schema }: { name: string; isRequired: boolean; schema: JsonSchema },
): Html {
  const field = resolved(document, schema);
  const facts = [
    typeOf(document, field),
    ...boundsOf(field),
    ...(isRequired ? ['required'] : []),
    ...(field.deprecated ? ['deprecated'] : []),
  ];
  const description = schema.description ?? field.description;
  return html`<li><code>${name}</code> <small>${facts.join(', ')}</small>${
    description === undefined ? '' : html`<p>${inlineMarkdown(description)}</p>`
  }${fieldsOf(document, field)}</li>
`;
}

function typeOf(document: OpenApiDocument, schema: JsonSchema): string {
  const { type = 'object', format, items, enum: values, anyOf = [], oneOf = anyOf } = schema;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' or ');
  if (oneOf.length > 0)
    return [...new Set(oneOf.map((one) => typeOf(document, resolved(document, one))))].join(' or ');
  if (items !== undefined) return `array of ${typeOf(document, resolved(document, items))}`;
  return format === undefined ? type : `${type} (${format})`;
}

const BOUNDS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum'] as const;

/** The bounds by their names in JSON Schema, without the largest integer of JavaScript. */
function boundsOf(schema: JsonSchema): string[] {
  return BOUNDS.filter((name) => (schema[name] ?? Number.MAX_SAFE_INTEGER) !== Number.MAX_SAFE_INTEGER).map(
    (name) => `${name} ${schema[name]}`,
  );
}
