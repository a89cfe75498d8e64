import type { TraceQuestion } from '@action-platform/contracts/bus';
import { z } from 'zod';
import type { Command } from '../command.ts';
import { findRequest } from './found.ts';
import { readEvents } from './read-events.ts';
import { rowsOf } from './rows.ts';
import { spanTree } from './span-tree.ts';
import { type Drawn, waterfall } from './waterfall.ts';

const options = z.object({
  request: z.string().max(256).optional().meta({
    description: 'The id of a request or of its trace.',
    isWord: true,
  }),
  last_error: z.boolean().default(false).meta({
    description: 'The last request that failed with 5xx, or whose 200 reports a failed or unknown outcome.',
  }),
  slowest: z.boolean().default(false).meta({ description: 'The slowest request.' }),
});
const input = options.refine(
  (given) => wantedIn(given).length === 1,
  'Give a request id, --last-error or --slowest',
);

function wantedIn({ request, last_error, slowest }: z.output<typeof options>): TraceQuestion[] {
  return [
    ...(request === undefined ? [] : [{ find: 'request', id: request } as const]),
    ...(last_error ? [{ find: 'last-error', id: '' } as const] : []),
    ...(slowest ? [{ find: 'slowest', id: '' } as const] : []),
  ];
}

/** A survey: every replica answers with the spans and log lines that it stores of the request. */
export const trace: Command<typeof input> = {
  name: 'trace',
  summary: 'Draws a request through all replicas: spans, batches, log lines and change events.',
  input,
  run: async (given, platform) => {
    const { root, spans, lines, gaps, replaced } = await findRequest(platform, wantedIn(given)[0]!);
    const rows = rowsOf(spanTree(spans, root), [...lines, ...(await readEvents(platform, root))]);
    return { started_at: new Date(root.started_at).toISOString(), rows, gaps, replaced } satisfies Drawn;
  },
  draw: (result) => waterfall(result as Drawn),
};
