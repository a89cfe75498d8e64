import { entriesOf, type History } from '../history.ts';

/** A Workspace stores no more than its quota, its counter equals the stored bytes, and no push within the quota is refused. */
export function* checkQuota(history: History): Generator<string> {
  for (const { stored, counted, quota } of [...history.before.usage, ...history.after.usage]) {
    if (stored > quota) yield `${stored} bytes are stored, of ${quota}`;
    if (stored !== counted) yield `${stored} bytes are stored, but ${counted} are counted`;
  }
  const { collection, quota } = history.limited;
  const pushes = entriesOf(history, 'push').filter(({ action }) => action.collection === collection);
  const isRefused = ({ outcome }: (typeof pushes)[number]) =>
    outcome.is === 'refused' && outcome.code === 'record_store_quota_exceeded';
  for (const push of pushes.filter(isRefused)) {
    const { action, endedAt } = push;
    const others = pushes.filter(
      (other) => other.begunAt < endedAt && other.action.key !== action.key && !isRefused(other),
    );
    const sizes = new Map(others.map((other) => [other.action.key, other.action.bytes]));
    const most = sizes.values().reduce((sum, bytes) => sum + bytes, action.bytes);
    if (most <= quota) yield `${action.key}: refused for the quota, with ${quota - most} bytes of room`;
  }
}
