/** The six kinds of JSON value. */
export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/**
 * The position of a JSON value in its text: from `start` up to, not including, `end` (UTF-16 code units, without the white
 * space around the value). `members` and `items` are empty below the depth that the scan records.
 */
export type JsonNode = ObjectNode | ArrayNode | ScalarNode;

interface Span {
  readonly start: number;
  readonly end: number;
}

export interface ObjectNode extends Span {
  readonly kind: 'object';
  readonly members: readonly MemberNode[];
}

interface ArrayNode extends Span {
  readonly kind: 'array';
  readonly items: readonly JsonNode[];
}

interface ScalarNode extends Span {
  readonly kind: Exclude<JsonKind, 'object' | 'array'>;
}

/** A member of an object, from `start`, the opening quote of its name, to its value's end. */
export interface MemberNode {
  /** The name without quotes and escapes. */
  readonly name: string;
  readonly start: number;
  readonly value: JsonNode;
}

/** The text of a value, exactly as written. */
export function textOf(text: string, node: JsonNode): string {
  return text.slice(node.start, node.end);
}
