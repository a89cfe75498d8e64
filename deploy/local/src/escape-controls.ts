/** Control characters, those that change the direction of text (UAX #9), and line separators. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/**
 * A text in one line, with the characters that control a terminal as JSON writes them: `\u009b`. So an escaped JSON text has the
 * same value.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(
    CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
