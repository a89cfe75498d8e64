/** Control characters, and those that change the direction of text. */
const STEERING = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A text in one line, with the characters that control a terminal as their codes. */
export function steerless(text: string): string {
  return text.replaceAll(
    STEERING,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
