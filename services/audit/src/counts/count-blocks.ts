import type { AuditEntry } from '@action-platform/contracts/audit';
import { whileAwaited, within } from '@action-platform/mongo';
import type { CallContext } from '@action-platform/service-host';
import type { Collection, Filter } from 'mongodb';
import { readBlock, type StoredBlock } from '../blocks/stored-block.ts';
import { type Counts, sum } from './stored-counts.ts';

/** Blocks, by an index. */
export interface SomeBlocks {
  readonly filter: Filter<StoredBlock>;
  readonly hint: 'time' | 'terms';
}

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
 * @param isCounted which entries count; without it all do, and the database counts: to send and read every entry takes three times as long.
 */
export async function countBlocks(
  blocks: Collection<StoredBlock>,
  { filter, hint }: SomeBlocks,
  isCounted: ((entry: AuditEntry) => boolean) | undefined,
  context: CallContext,
): Promise<Counts> {
  const $project = { workspace_id: 1, to: 1, ...(isCounted === undefined ? byText : { lines }) };
  // `{ entries: { $type: 'string' } }` would match a list of strings too.
  const isText = { $expr: { $eq: [{ $type: '$entries' }, 'string'] } };
  const pipeline = [{ $match: { ...filter, ...isText } }, { $project }];
  const found = blocks.aggregate<CountedBlock>(pipeline, { hint, ...within(context) });
  let counted: Counts = { calls: 0, refused: 0, failed: 0 };
  for await (const block of whileAwaited<CountedBlock>(found, context)) {
    const { calls = 0, refused = 0, failed = 0 } = block;
    counted = sum(counted, { calls, refused, failed });
    if (block.lines.length === 0) continue;
    for (const entry of readBlock({ ...block, entries: block.lines.join('\n') })?.entries ?? []) {
      const { outcome, count = 1 } = entry;
      const more = isCounted === undefined ? count - 1 : isCounted(entry) ? count : 0;
      const of = (wanted: typeof outcome) => (outcome === wanted ? more : 0);
      counted = sum(counted, { calls: more, refused: of('refused'), failed: of('failed') });
    }
  }
  return counted;
}
