/** A JSON value without any loss: numbers by their exact decimal value, members in a Map. */
export type Value = null | boolean | string | Decimal | Value[] | Map<string, Value>;

interface Decimal {
  readonly decimal: string;
}

/** The meaning of bytes as JSON, by a simple and slow method around the runtime's own parser. */
export interface Meaning {
  readonly text: string;
  /** Levels of objects and arrays; for invalid JSON, the levels at its beginning. */
  readonly depth: number;
  /** Undefined when the bytes are not a JSON text (RFC 8259). */
  readonly parsed?: {
    /** The result of `JSON.parse`. */
    readonly native: unknown;
    /** Undefined when the text has more than one meaning (RFC 7493, sections 2.1 and 2.3). */
    readonly value: Value | undefined;
  };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s"[\]{}:,]+/gs;

/** The meaning of bytes; undefined when they are not UTF-8. A value deeper than `maxDepth` is not parsed. */
export function meaningOf(bytes: Uint8Array, maxDepth: number): Meaning | undefined {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return undefined;
  }
  const tokens = text.match(TOKENS) ?? [];
  const depth = depthOf(tokens);
  try {
    const native: unknown = JSON.parse(text);
    const value = depth > maxDepth ? undefined : new Reader(tokens).value();
    return { text, depth, parsed: { native, value } };
  } catch {
    return { text, depth };
  }
}

function depthOf(tokens: readonly string[]): number {
  let [depth, deepest] = [0, 0];
  for (const token of tokens) {
    if (token === '{' || token === '[') deepest = Math.max(deepest, ++depth);
    if (token === '}' || token === ']') depth--;
  }
  return deepest;
}

/** Reads the tokens of a valid JSON text. */
class Reader {
  readonly #tokens: readonly string[];
  #next = 0;
  #isAmbiguous = false;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  value(): Value | undefined {
    const value = this.#read();
    return this.#isAmbiguous ? undefined : value;
  }

  #read(): Value {
    const token = this.#tokens[this.#next++]!;
    if (token === '{') return this.#members();
    if (token === '[') return this.#items();
    if (token.startsWith('"')) return this.#string(token);
    return /^[tfn]/.test(token) ? (JSON.parse(token) as boolean | null) : { decimal: decimalOf(token) };
  }

  #members(): Map<string, Value> {
    const members = new Map<string, Value>();
    while (this.#tokens[this.#next] !== '}') {
      const name = this.#string(this.#tokens[this.#next]!);
      this.#next += 2;
      this.#isAmbiguous ||= members.has(name);
      members.set(name, this.#read());
      if (this.#tokens[this.#next] === ',') this.#next++;
    }
    this.#next++;
    return members;
  }

  #items(): Value[] {
    const items: Value[] = [];
    while (this.#tokens[this.#next] !== ']') {
      items.push(this.#read());
      if (this.#tokens[this.#next] === ',') this.#next++;
    }
    this.#next++;
    return items;
  }

  #string(token: string): string {
    const text = JSON.parse(token) as string;
    this.#isAmbiguous ||= !text.isWellFormed();
    return text;
  }
}

/** One spelling for every exact decimal value: its digits without zeros at the ends, and a power of ten. */
function decimalOf(number: string): string {
  const [, sign = '', integer = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(number) ?? [];
  const digits = (integer + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power =
    BigInt(exponent.replace('+', '')) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${sign}${significant}e${power}`;
}

/** RFC 7396, section 2, literally. */
export function mergedValue(target: Value | undefined, patch: Value): Value {
  if (!(patch instanceof Map)) return patch;
  const result = target instanceof Map ? new Map(target) : new Map<string, Value>();
  for (const [name, value] of patch) {
    if (value === null) result.delete(name);
    else result.set(name, mergedValue(result.get(name), value));
  }
  return result;
}
