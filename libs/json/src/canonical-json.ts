import { canonicalNumber } from './canonical-number.ts';
import { commaSeparated } from './comma-separated.ts';
import { ExactJson } from './exact-json.ts';
import { type JsonNode, type ObjectNode, textOf } from './scanner/json-tree.ts';
import { MAX_DEPTH, scanJson } from './scanner/scan-json.ts';

/**
 * Writes a JSON value in one fixed way, so that two JSON texts have the same value exactly when their canonical texts
 * are equal. The canonical text, itself JSON, is meant to be hashed or compared.
 *
 * White space and the order of members do not count, strings and names are compared unescaped, code unit by code unit,
 * and numbers by their exact decimal value. RFC 8785 differs: it compares numbers as doubles, so
 * 12345678901234567890 and 12345678901234567891 would be equal.
 *
 * @throws JsonSyntaxError, JsonDepthError (beyond `MAX_DEPTH`) or JsonAmbiguityError when given a text that is not one
 *   JSON value with one meaning.
 */
export function canonicalJson(value: ExactJson | string): string {
  const text = value instanceof ExactJson ? value.text : value;
  return canonicalValue(text, scanJson(text, { maxDepth: MAX_DEPTH, recordDepth: MAX_DEPTH }));
}

function canonicalValue(text: string, node: JsonNode): string {
  switch (node.kind) {
    case 'object':
      return canonicalObject(text, node);
    case 'array':
      return `[${commaSeparated(node.items.map((item) => canonicalValue(text, item)))}]`;
    case 'string':
      return canonicalString(textOf(text, node));
    case 'number':
      return canonicalNumber(textOf(text, node));
    default:
      return textOf(text, node);
  }
}

function canonicalObject(text: string, { members }: ObjectNode): string {
  const sorted = members.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const written = sorted.map(({ name, value }) => `${JSON.stringify(name)}:${canonicalValue(text, value)}`);
  return `{${commaSeparated(written)}}`;
}

/** Without escapes a string is as JSON.stringify writes it, which escapes only what cannot stand as it is. */
function canonicalString(text: string): string {
  return text.includes('\\') ? JSON.stringify(JSON.parse(text)) : text;
}
