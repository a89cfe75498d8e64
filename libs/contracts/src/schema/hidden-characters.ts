/**
 * Characters that people do not see, that a terminal obeys or that change the order of others (UAX #9): a class of a regular expression with
 * the flag `u`.
 */
export const HIDDEN_CHARACTERS = String.raw`[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`;

const HIDDEN = new RegExp(HIDDEN_CHARACTERS, 'gu');

/** The text in one line, with each hidden character as a JSON escape: `\\u009b`. A JSON text keeps its value. */
export function escapeHidden(text: string): string {
  return text.replaceAll(HIDDEN, jsonEscape);
}

/** Each code unit of a character as a JSON escape (RFC 8259, section 7). */
export function jsonEscape(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
