import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { withoutLastLineEnd } from './options.ts';

/** How long the standard input may take to end, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** An input for text, such as `process.stdin`. */
export type Source = Readable & { readonly isTTY?: boolean };

export interface Terminal {
  readonly stdin: Source | undefined;
  readonly stderr: { write(text: string): unknown };
}

/** Reads a secret from the standard input: all of it, or at a terminal the line that its user types unseen. */
export async function readSecret({ stdin, stderr }: Terminal): Promise<string> {
  const secret =
    stdin === undefined ? '' : stdin.isTTY ? await typedSecret(stdin, stderr) : await pipedSecret(stdin);
  if (secret !== '') return secret;
  throw new Error(
    'A secret is required: name its file with --secret-file, or pass it to the standard input.',
  );
}

async function typedSecret(stdin: Source, stderr: Terminal['stderr']): Promise<string> {
  stderr.write('Secret: ');
  // The line editor would echo to its output.
  const lines = createInterface({ input: stdin, output: new PassThrough(), terminal: true });
  const secret = await lines.question('').finally(() => lines.close());
  stderr.write('\n');
  return secret;
}

async function pipedSecret(stdin: Source): Promise<string> {
  const tooLate = setTimeout(
    () => stdin.destroy(new Error('The standard input has not ended in time.')),
    TIMEOUT_MS,
  );
  return withoutLastLineEnd(await text(stdin).finally(() => clearTimeout(tooLate)));
}
