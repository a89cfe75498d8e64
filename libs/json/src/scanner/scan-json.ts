import { JsonAmbiguityError, JsonDepthError, JsonSyntaxError } from '../errors.ts';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isDigit,
  LOWER_F,
  LOWER_N,
  LOWER_T,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './characters.ts';
import type { JsonNode, MemberNode } from './json-tree.ts';
import { END_OF_TEXT, Tokens } from './tokens.ts';

/**
 * The deepest nesting that can be asked for. The scanner, and all that traverses its trees, calls itself once for every level, and this
 * many levels leave most of the stack free (RFC 8259, section 9 lets a reader set such a limit).
 */
export const MAX_DEPTH = 512;

/** How deep a text may nest, and how much of it to record. */
export interface ScanOptions {
  /** Levels of objects and arrays to accept, 0 to {@link MAX_DEPTH}; a top-level object or array is level 1. */
  maxDepth: number;
  /** Levels of objects and arrays whose members and items are recorded; deeper ones are checked only. */
  recordDepth: number;
  /** Ambiguities that do not refuse the text. */
  setAside?: SetAside | undefined;
}

/** The member of each object in a top-level array whose value may be ambiguous, with the first ambiguity of each, by the index of its object. */
export interface SetAside {
  readonly array: string;
  readonly member: string;
  readonly found: Map<number, JsonAmbiguityError>;
}

/**
 * Checks that a text is one RFC 8259 JSON value with a single meaning, in one pass, and returns the positions of its parts.
 *
 * @throws JsonSyntaxError when the text is not JSON, or has a lone surrogate as such and so no UTF-8 form.
 * @throws JsonDepthError as soon as the text is too deep, without looking at the rest.
 * @throws JsonAmbiguityError at the first repeated name or lone surrogate, once all of it is known to be JSON.
 * @throws RangeError when `maxDepth` is not an integer from 0 to {@link MAX_DEPTH}.
 */
export function scanJson(text: string, { maxDepth, recordDepth, setAside }: ScanOptions): JsonNode {
  if (!Number.isInteger(maxDepth) || maxDepth < 0 || maxDepth > MAX_DEPTH) {
    throw new RangeError(`maxDepth must be an integer from 0 to ${MAX_DEPTH}`);
  }
  if (!text.isWellFormed()) {
    throw new JsonSyntaxError('Half of a surrogate pair', text.search(/\p{Surrogate}/u));
  }
  return new Scanner(text, maxDepth, setAside).document(recordDepth);
}

class Scanner {
  private readonly tokens: Tokens;
  private readonly maxDepth: number;
  /** Names and indexes that lead to the current value; the entry at `level - 1` belongs to the container at `level`. */
  private readonly path: (string | number)[] = [];
  private readonly setAside: SetAside | undefined;
  private ambiguity: JsonAmbiguityError | undefined;

  constructor(text: string, maxDepth: number, setAside: SetAside | undefined) {
    this.setAside = setAside;
    this.tokens = new Tokens(text);
    this.maxDepth = maxDepth;
  }

  document(recordDepth: number): JsonNode {
    const root = this.value(0, recordDepth)!;
    if (this.tokens.next() !== END_OF_TEXT) this.tokens.refuse('Expected the end of the text');
    if (this.ambiguity !== undefined) throw this.ambiguity;
    return root;
  }

  /**
   * @param level how many objects and arrays the value stands in
   * @param record how many levels, from this value on, to record; below 0 the value itself is not recorded either
   */
  private value(level: number, record: number): JsonNode | undefined {
    const { tokens } = this;
    const first = tokens.next();
    const start = tokens.position;
    switch (first) {
      case QUOTE:
        if (tokens.string() === 'lone_surrogate') this.noteAmbiguity('lone_surrogate', level);
        return this.scalar('string', start, record);
      case OPEN_BRACE: {
        const members = this.object(level + 1, record - 1);
        return record < 0 ? undefined : { kind: 'object', start, end: tokens.position, members };
      }
      case OPEN_BRACKET: {
        const items = this.array(level + 1, record - 1);
        return record < 0 ? undefined : { kind: 'array', start, end: tokens.position, items };
      }
      case LOWER_T:
        tokens.literal('true');
        return this.scalar('boolean', start, record);
      case LOWER_F:
        tokens.literal('false');
        return this.scalar('boolean', start, record);
      case LOWER_N:
        tokens.literal('null');
        return this.scalar('null', start, record);
      default:
        if (first !== MINUS && !isDigit(first)) this.refuseValue(first);
        tokens.number();
        return this.scalar('number', start, record);
    }
  }

  private refuseValue(first: number): never {
    const before = this.tokens.text.slice(0, this.tokens.position).trimEnd();
    const isTrailingComma = first === CLOSE_BRACKET && before.endsWith(',');
    this.tokens.refuse(isTrailingComma ? 'Trailing comma before a closing bracket' : 'Expected a value');
  }

  private scalar(
    kind: 'string' | 'number' | 'boolean' | 'null',
    start: number,
    record: number,
  ): JsonNode | undefined {
    return record < 0 ? undefined : { kind, start, end: this.tokens.position };
  }

  private object(level: number, record: number): MemberNode[] {
    const { tokens } = this;
    const members: MemberNode[] = [];
    let next = this.open(level);
    if (next === CLOSE_BRACE) return this.close(members);
    const names = new MemberNames();
    for (;;) {
      if (next !== QUOTE) tokens.refuse('Expected a member name in double quotes');
      const start = tokens.position;
      const name = this.memberName(level, names);
      if (tokens.next() !== COLON) tokens.refuse('Expected a colon');
      tokens.position++;
      const value = this.value(level, record);
      if (value !== undefined) members.push({ name, start, value });
      next = tokens.next();
      if (next === CLOSE_BRACE) return this.close(members);
      if (next !== COMMA) tokens.refuse('Expected a comma or a closing brace');
      tokens.position++;
      next = tokens.next();
      if (next === CLOSE_BRACE) tokens.refuse('Trailing comma before a closing brace');
    }
  }

  private array(level: number, record: number): JsonNode[] {
    const { tokens } = this;
    const items: JsonNode[] = [];
    if (this.open(level) === CLOSE_BRACKET) return this.close(items);
    for (let index = 0; ; index++) {
      this.path[level - 1] = index;
      const item = this.value(level, record);
      if (item !== undefined) items.push(item);
      const next = tokens.next();
      if (next === CLOSE_BRACKET) return this.close(items);
      if (next !== COMMA) tokens.refuse('Expected a comma or a closing bracket');
      tokens.position++;
    }
  }

  /** Steps over an opening brace or bracket; gives the code of the next character. */
  private open(level: number): number {
    if (level > this.maxDepth) throw new JsonDepthError(this.maxDepth);
    this.tokens.position++;
    return this.tokens.next();
  }

  private close<T>(parts: T[]): T[] {
    this.tokens.position++;
    return parts;
  }

  /** Reads a member's name, puts it on the path and checks it. */
  private memberName(level: number, names: MemberNames): string {
    const { tokens } = this;
    const start = tokens.position;
    const spelling = tokens.string();
    const name =
      spelling === 'plain'
        ? tokens.text.slice(start + 1, tokens.position - 1)
        : (JSON.parse(tokens.text.slice(start, tokens.position)) as string);
    this.path[level - 1] = name;
    if (spelling === 'lone_surrogate') this.noteAmbiguity('lone_surrogate', level);
    if (!names.add(name)) this.noteAmbiguity('duplicate_name', level);
    return name;
  }

  /** Keeps the first ambiguity for the end, because a text that turns out not to be JSON is reported as that. */
  private noteAmbiguity(reason: JsonAmbiguityError['reason'], pathLength: number): void {
    const found = new JsonAmbiguityError(reason, this.path.slice(0, pathLength));
    const index = this.indexSetAside(found);
    if (index === undefined) this.ambiguity ??= found;
    else this.setAside!.found.getOrInsert(index, found);
  }

  /** The index of the object whose value set aside has an ambiguity. A name that comes again there is one of the object itself. */
  private indexSetAside({ path, reason }: JsonAmbiguityError): number | undefined {
    const [array, index, member] = path;
    const isWithin = path.length > 3 || (path.length === 3 && reason === 'lone_surrogate');
    const isSetAside = array === this.setAside?.array && member === this.setAside?.member;
    return isWithin && isSetAside && typeof index === 'number' ? index : undefined;
  }
}

/** Up to here comparing names one by one is quicker than hashing them; beyond it time must not grow with the square. */
const COMPARED_ONE_BY_ONE = 16;

/** The names seen so far in one object, to tell the first that comes again. */
class MemberNames {
  private readonly few: string[] = [];
  private many: Set<string> | undefined;

  /** Takes in the next (unescaped) name; false when the object has it already. */
  add(name: string): boolean {
    if (this.many !== undefined) {
      const known = this.many.size;
      return this.many.add(name).size > known;
    }
    if (this.few.includes(name)) return false;
    if (this.few.push(name) === COMPARED_ONE_BY_ONE) this.many = new Set(this.few);
    return true;
  }
}
