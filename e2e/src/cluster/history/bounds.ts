import { entriesOf, type History } from './history.ts';

/** A Workspace stores no more than its quota, its counter equals the stored bytes, and no push within the quota is refused. */
export function* checkQuota(history: History): Generator<string> {
  const { collection, quota } = history.limited;
  for (const { records, storedBytes } of [history.before, history.after]) {
    const stored = records
      .filter((record) => record.collection === collection)
      .reduce((sum, { bytes }) => sum + bytes, 0);
    if (stored > quota) yield `${stored} bytes are stored, of ${quota}`;
    if (stored !== storedBytes) yield `${stored} bytes are stored, but ${storedBytes} are counted`;
  }
  const pushes = entriesOf(history, 'push').filter(({ action }) => action.collection === collection);
  for (const { action, endedAt, outcome } of pushes) {
    if (outcome.is !== 'refused' || outcome.code !== 'record_store_quota_exceeded') continue;
    const others = pushes.filter((push) => push.begunAt < endedAt && push.action.key !== action.key);
    const sizes = new Map(
      others
        .filter(
          (push) => push.outcome.is !== 'refused' || push.outcome.code !== 'record_store_quota_exceeded',
        )
        .map((push) => [push.action.key, push.action.bytes]),
    );
    const most = sizes.values().reduce((sum, bytes) => sum + bytes, action.bytes);
    if (most <= quota) yield `${action.key}: refused for the quota, with ${quota - most} bytes of room`;
  }
}

/** Each key has one draft, and every acknowledgement names that draft. */
export function* checkDrafts(history: History): Generator<string> {
  const asked = Map.groupBy(entriesOf(history, 'draft'), ({ action }) => action.key);
  for (const [key, all] of asked) {
    const named = new Set(
      all.flatMap(({ finally: outcome }) => (outcome.is === 'done' ? [outcome.result.draft] : [])),
    );
    if (named.size > 1) yield `${key}: acknowledgements name ${named.size} drafts`;
    const before = history.before.drafts.filter((draft) => draft === key).length;
    const after = history.after.drafts.filter((draft) => draft === key).length;
    if (Math.max(before, after) > 1) yield `${key}: ${Math.max(before, after)} drafts`;
    if (named.size > 0 && after === 0) yield `${key}: its draft is lost`;
  }
}
