import type { Exercised } from './exercise.ts';

/** What came of every failure, as a table of Markdown. */
export function tableOf(exercised: readonly Exercised[]): string {
  const seconds = (value: number | undefined) => (value === undefined ? 'never' : `${value} s`);
  const rows = exercised.map(({ alert, cause, firedAfter, overAfter }) => [
    alert,
    cause,
    seconds(firedAfter),
    seconds(overAfter),
  ]);
  const lines = [['Alert', 'Caused by', 'Told after', 'Over after'], ['---', '---', '---', '---'], ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
