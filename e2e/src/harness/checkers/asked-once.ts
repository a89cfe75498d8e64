import { entriesOf, type History } from '../history.ts';

/** Equal drafts wait for one approval, each was held, and no approval was asked for that no draft waits for. */
export function* checkAskedOnce(history: Pick<History, 'entries' | 'readers'>): Generator<string> {
  const named = new Set<string>();
  for (const [key, drafts] of Map.groupBy(entriesOf(history, 'draft'), ({ action }) => action.key)) {
    const ids = new Set(
      drafts.flatMap(({ attempts }) => attempts.flatMap(({ approvalId }) => approvalId ?? [])),
    );
    if (ids.size > 1) yield `${key}: ${ids.size} approvals were asked for`;
    if (ids.size === 0 && drafts.some(({ outcome }) => outcome.is === 'done')) yield `${key}: was not held`;
    for (const id of ids) {
      if (named.has(id)) yield `${key}: waits for ${id}, as another draft does`;
      named.add(id);
    }
  }
  const events = history.readers[0]!.events.filter(({ type }) => type === 'approval.requested');
  const asked = new Set(events.map(({ subject }) => subject));
  for (const id of asked.difference(named)) yield `${id}: no draft waits for it`;
  for (const id of named.difference(asked)) yield `${id}: no event tells of it`;
}
