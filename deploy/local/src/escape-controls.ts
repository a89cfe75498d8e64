/** Control characters, those that change the direction of text (UAX #9), and line separators. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/**
 * The text in one line, with each character that controls a terminal as a JSON escape: `\u009b`. A JSON text keeps its value.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(
    CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
