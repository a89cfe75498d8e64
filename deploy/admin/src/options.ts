import { parseArgs } from 'node:util';
import { plainMessage } from '@action-platform/contracts';
import { z } from 'zod';

/** An option of a command, from the published JSON Schema of its field. */
export interface Option {
  /** Its name without the dashes: `display-name`. */
  readonly name: string;
  readonly field: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** An option without a value. */
  readonly isFlag: boolean;
  /** May be given more than once. */
  readonly repeats: boolean;
  /** The minimum of a whole number; undefined for other kinds. */
  readonly minimum: number | undefined;
  /** Its allowed values. */
  readonly words: readonly string[] | undefined;
  readonly fallback: string | number | undefined;
}

interface FieldSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: FieldSchema;
  readonly minimum?: number;
  readonly default?: unknown;
}

/** The options of a command, in the order of the fields of its input. */
export function optionsOf(input: z.ZodObject): Option[] {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties as Record<string, FieldSchema>).map(([field, schema]) => {
    const { type, enum: words, minimum = Number.MIN_SAFE_INTEGER } = schema.items ?? schema;
    const { description = '', default: fallback } = schema;
    return {
      name: field.replaceAll('_', '-'),
      field,
      description,
      isRequired: required.includes(field),
      isFlag: type === 'boolean',
      repeats: schema.type === 'array',
      minimum: type === 'integer' ? minimum : undefined,
      words,
      fallback: typeof fallback === 'string' || typeof fallback === 'number' ? fallback : undefined,
    };
  });
}

/**
 * Reads the arguments after a command into its input. An error says in one line which option is wrong, and how.
 *
 * @param args such as `['--workspace', 'ws_1', '--member=ada']`
 */
export function readInput<Input extends z.ZodObject>(input: Input, args: readonly string[]): z.output<Input> {
  const options = optionsOf(input);
  const given = parse(options, args);
  const values: Record<string, unknown> = {};
  for (const option of options) {
    const typed = given[option.name];
    if (typed === undefined) {
      if (option.isRequired) throw new Error(`--${option.name} is required.`);
    } else {
      if (!option.repeats && typed.length > 1) throw new Error(`--${option.name} may be given only once.`);
      const read = typed.map((value) => readValue(option, value));
      values[option.field] = option.repeats ? read : read[0];
    }
  }
  const parsed = input.safeParse(values, { error: plainMessage });
  if (parsed.success) return parsed.data;
  const [{ path, message }] = parsed.error.issues as [z.core.$ZodIssue];
  const place = path.length === 0 ? '' : `--${String(path[0]).replaceAll('_', '-')}: `;
  throw new Error(`${place}${message}.`);
}

/** The values of each given option, in their order; of a flag, true. */
function parse(options: readonly Option[], args: readonly string[]): Record<string, (string | true)[]> {
  const known = options.map(({ name, isFlag }) => [name, { type: isFlag ? 'boolean' : 'string' }] as const);
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(known),
    strict: false,
    tokens: true,
  });
  const given: Record<string, (string | true)[]> = {};
  for (const token of tokens) {
    if (token.kind === 'positional') throw new Error(`"${token.value}" belongs to no option.`);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const option = options.find((candidate) => candidate.name === name);
    if (option === undefined) throw new Error(`There is no option ${rawName}.`);
    if (option.isFlag && value !== undefined) throw new Error(`--${name} takes no value.`);
    if (!option.isFlag && (!value || (value.startsWith('-') && !inlineValue))) {
      throw new Error(`--${name} needs a value; one that begins with a dash is written --${name}=-….`);
    }
    given[name] = [...(given[name] ?? []), value ?? true];
  }
  return given;
}

function readValue({ name, minimum, words }: Option, typed: string | true): string | number | true {
  if (words !== undefined && !words.includes(String(typed))) {
    throw new Error(`--${name} must be one of: ${words.join(', ')}.`);
  }
  if (minimum === undefined) return typed;
  const number = Number(typed);
  if (!/^-?\d+$/.test(String(typed)) || !Number.isSafeInteger(number) || number < minimum) {
    const least = minimum === Number.MIN_SAFE_INTEGER ? '' : ` of at least ${minimum}`;
    throw new Error(`--${name} must be a whole number${least}.`);
  }
  return number;
}
