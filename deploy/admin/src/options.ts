import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { plainMessage, publishedSchema } from '@action-platform/contracts/schema';
import type { z } from 'zod';

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
  readonly isNumber: boolean;
  /** The option takes the path of a file, whose content is the value of the field. */
  readonly isFile: boolean;
  /** The command line has the value alone, without the name. */
  readonly isWord: boolean;
  readonly words: readonly string[] | undefined;
  readonly fallback: string | number | undefined;
}

/** The options of a command, in the order of the fields of its input. */
export function optionsOf(input: z.ZodObject): Option[] {
  const { properties = {}, required = [] } = publishedSchema(input, 'input');
  return Object.entries(properties).map(([field, schema]) => {
    const { type, enum: words } = schema.items ?? schema;
    const { description = '', default: fallback } = schema;
    const [isFile, isWord] = [schema.isFile === true, schema.isWord === true];
    return {
      name: `${field.replaceAll('_', '-')}${isFile ? '-file' : ''}`,
      field,
      description,
      isRequired: required.includes(field),
      isFlag: type === 'boolean',
      repeats: schema.type === 'array',
      isNumber: type === 'integer',
      isFile,
      isWord,
      words: words?.map(String),
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
  const wrong = options.find(({ field }) => field === path[0]);
  const place = wrong === undefined ? '' : `--${wrong.name}: `;
  throw new Error(`${place}${message}.`);
}

/** The values of each given option, in their order; of a flag, true. */
function parse(options: readonly Option[], args: readonly string[]): Record<string, (string | boolean)[]> {
  const forms = options.map(({ name, isFlag }) => {
    return [name, { type: isFlag ? 'boolean' : 'string', multiple: true }] as const;
  });
  try {
    const word = options.find(({ isWord }) => isWord);
    const settings = { options: Object.fromEntries(forms), allowPositionals: word !== undefined };
    const { values, positionals } = parseArgs({ args: [...args], ...settings });
    const given = positionals.length > 0 ? { [word!.name]: positionals } : {};
    return { ...values, ...given } as Record<string, (string | boolean)[]>;
  } catch (error) {
    // Node.js explains some errors on several lines.
    throw new Error((error as Error).message.replaceAll('\n', ' '), { cause: error });
  }
}

function readValue({ name, isNumber, isFile }: Option, typed: string | boolean): string | number | boolean {
  if (typed === '') throw new Error(`--${name} needs a value.`);
  if (isFile) return contentOf(name, String(typed));
  return isNumber && /^-?[\d.]+$/.test(String(typed)) ? Number(typed) : typed;
}

/** The content of a file without its last line end. */
function contentOf(name: string, path: string): string {
  try {
    return withoutLastLineEnd(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`--${name}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** A text without the line end that editors and `echo` add to it. */
export function withoutLastLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}
