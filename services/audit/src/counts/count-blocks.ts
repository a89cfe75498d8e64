import type { AuditEntry } from '@action-platform/contracts/audit';
import { whileAwaited, within } from '@action-platform/mongo';
import type { CallContext } from '@action-platform/service-host';
import type { Collection } from 'mongodb';
import { readBlock, type StoredBlock } from '../blocks/stored-block.ts';
import { type Counts, sum } from './stored-counts.ts';

/** The most blocks, and 1,000 entries of each, that the database counts before it answers: what a call has when it is interrupted. */
const ANSWERED_TOGETHER = 100;

const lines = { $split: ['$entries', '\n'] };
const has = (text: string) => ({ $gte: [{ $indexOfBytes: ['$$this', text] }, 0] });
const occurrences = (text: string) => ({ $subtract: [{ $size: { $split: ['$entries', text] } }, 1] });

/** Each entry as one call, and the lines of those that equal calls share. No value has the text of a field: JSON escapes its quotation marks. */
const byText = {
  calls: { $size: lines },
  refused: occurrences('"outcome":"refused"'),
  failed: occurrences('"outcome":"failed"'),
  lines: { $filter: { input: lines, cond: has('"count":') } },
};

interface CountedBlock extends Partial<Counts>, Pick<StoredBlock, '_id' | 'workspace_id' | 'to'> {
  readonly lines: readonly string[];
}

/**
 * Counts the calls in blocks.
 *
 * @param ids the blocks, in any order.
 * @param isCounted which entries count; without it all do, and the database counts: to send and read every entry takes three times as long.
 * @returns the counts of each block, in the order of their numbers.
 */
export async function* countBlocks(
  blocks: Collection<StoredBlock>,
  { workspaceId: workspace_id, ids }: { readonly workspaceId: string; readonly ids: readonly string[] },
  isCounted: ((entry: AuditEntry) => boolean) | undefined,
  context: CallContext,
): AsyncGenerator<Counts & Pick<StoredBlock, '_id'>> {
  const $project = { workspace_id: 1, to: 1, ...(isCounted === undefined ? byText : { lines }) };
  // `{ entries: { $type: 'string' } }` would match a list of strings too.
  const isText = { $expr: { $eq: [{ $type: '$entries' }, 'string'] } };
  const $match = { workspace_id, _id: { $in: ids }, ...isText };
  const found = blocks.aggregate<CountedBlock>([{ $match }, { $sort: { _id: 1 } }, { $project }], {
    hint: '_id_',
    batchSize: ANSWERED_TOGETHER,
    ...within(context),
  });
  for await (const block of whileAwaited<CountedBlock>(found, context)) {
    const { _id, calls = 0, refused = 0, failed = 0 } = block;
    let counted: Counts = { calls, refused, failed };
    const entries =
      block.lines.length > 0 && readBlock({ ...block, entries: block.lines.join('\n') })?.entries;
    for (const entry of entries || []) {
      const { outcome, count = 1 } = entry;
      const more = isCounted === undefined ? count - 1 : isCounted(entry) ? count : 0;
      const of = (wanted: typeof outcome) => (outcome === wanted ? more : 0);
      counted = sum(counted, { calls: more, refused: of('refused'), failed: of('failed') });
    }
    yield { _id, ...counted };
  }
}
