/** Control characters, and those that turn the direction of what is written. */
const STEERING = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A text in one line: what would steer a terminal is written as its code. */
export function steerless(text: string): string {
  return text.replaceAll(
    STEERING,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
