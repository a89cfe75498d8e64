import { entriesOf, type History } from '../history.ts';

/** Each answer has the whole content of one moment, and no client reads the personal file of another Member. */
export function* checkFiles(history: History): Generator<string> {
  for (const { action, outcome } of entriesOf(history, 'read_file')) {
    const isHidden = history.hiddenFiles.has(action.file);
    if (outcome.is === 'refused' && !isHidden) yield `${action.file}: refused with ${outcome.code}`;
    if (outcome.is !== 'done') continue;
    const { bytes, length, lines } = outcome.result.file!;
    if (isHidden) yield `${action.file}: read by another Member`;
    if (length !== bytes) yield `${action.file}: ${length} of ${bytes} bytes`;
    if (lines !== 1) yield `${action.file}: ${lines} contents in one answer`;
  }
}
