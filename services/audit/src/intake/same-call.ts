import { inBackground } from '@action-platform/contracts/calls';
import { within } from '@action-platform/mongo';
import type { Appender } from '../blocks/append.ts';
import type { SourcedEntry } from '../blocks/link.ts';
import type { Chains } from '../blocks/stored-block.ts';
import { callIdOf, callTerm } from '../blocks/terms.ts';

type CallIds = Parameters<typeof callIdOf>[0];

/** How many calls are looked up at once. */
const LOOKED_UP = 500;
const OF_CHANGES = 'change ';

/** The source of the only entry that a call has from its changes. */
export function sourceOfChanges(ids: CallIds): string {
  return `${OF_CHANGES}${callIdOf(ids)}`;
}

/** Whether a source is that of changes, and not of a published message. */
export function isOfChanges(source: string): boolean {
  return source.startsWith(OF_CHANGES);
}

/** The calls without an entry in the chain of their Workspace. */
export async function withoutEntry<Call>(
  { blocks }: Chains,
  workspace_id: string,
  calls: readonly Call[],
  idsOf: (call: Call) => CallIds,
): Promise<Call[]> {
  const missing: Call[] = [];
  for (let at = 0; at < calls.length; at += LOOKED_UP) {
    const some = calls.slice(at, at + LOOKED_UP);
    const terms = some.map((call) => callTerm(idsOf(call)));
    const found = await blocks
      .find({ workspace_id, terms: { $in: terms } }, within(inBackground))
      .project<{ terms: string[] }>({ _id: 0, terms: 1 })
      .toArray();
    const known = new Set(found.flatMap((block) => block.terms));
    missing.push(...some.filter((_call, index) => !known.has(terms[index]!)));
  }
  return missing;
}

/** Published entries without those that come so late that the changes of their calls have an entry already. @param before the time of late ones */
export async function withoutAnswered(
  appender: Appender,
  workspaceId: string,
  entries: readonly SourcedEntry[],
  before: Date,
): Promise<readonly SourcedEntry[]> {
  const late = before.toISOString();
  const isLate = ({ entry }: SourcedEntry) => entry.at < late && entry.count === undefined;
  const sources = entries.filter(isLate).map(({ entry }) => sourceOfChanges(entry));
  if (sources.length === 0) return entries;
  const stored = await appender.storedAmong(workspaceId, sources);
  return entries.filter((each) => !isLate(each) || !stored.has(sourceOfChanges(each.entry)));
}
