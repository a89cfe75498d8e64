import { ExactJson } from '@action-platform/json';
import { HIDDEN_CHARACTERS } from '../../schema/hidden-characters.ts';

/** A fault of a JSON value, and its place in it. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A fault of the value itself. */
export function problem(message: string): Problem {
  return { path: [], message };
}

/** A fault of a member, as one of the value around it. */
export function under(step: string | number, { path, message }: Problem): Problem {
  return { path: [step, ...path], message };
}

/** An agent would read what its user does not see. */
const HIDDEN = new RegExp(HIDDEN_CHARACTERS, 'u');

/** A text with spaces in the places of control, bidirectional and invisible characters. */
export function visible(text: string): string {
  return text.replaceAll(new RegExp(HIDDEN, 'gu'), ' ');
}

/** The first control, bidirectional or invisible character of a text. */
export function hiddenCharacter(text: string): Problem | undefined {
  const found = HIDDEN.exec(text)?.[0].codePointAt(0);
  const name = found?.toString(16).toUpperCase().padStart(4, '0');
  if (name === undefined) return undefined;
  return problem(`has U+${name}: control, bidirectional and invisible characters are refused`);
}

/**
 * The first part of a JSON value that readers would not see as it was sent: a hidden character in its texts and names, or a number that no
 * double has the value of.
 */
export function unpublishable(value: unknown): Problem | undefined {
  if (typeof value === 'string') return hiddenCharacter(value);
  if (value instanceof ExactJson)
    return problem('has more digits, or a larger exponent, than a double keeps');
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, each] of Object.entries(value)) {
    const found = unpublishable(each);
    if (found !== undefined) return under(name, found);
    const inName = hiddenCharacter(name);
    if (inName !== undefined) return inName;
  }
  return undefined;
}
