import type { ChangeEvent } from '@action-platform/contracts/change-events';
import type { Change, Checker, History } from '../history.ts';

const GAP: ChangeEvent['type'] = 'feed.gap';

const UNREAD = 'no reader followed the feed';

const changeOf = ({ type, subject, data: { sequence, request_id } }: ChangeEvent): Change => ({
  ...{ type, subject, requestId: request_id },
  ...(sequence !== undefined && { sequence }),
});
const nameOf = ({ type, subject, sequence, requestId }: Change) =>
  sequence === undefined ? `${type} ${subject} ${requestId}` : `${subject} ${sequence}`;

/** Every reader sees every commit with one id, those of a Record in order, and nothing else. */
export const checkFeed: Checker = ({ changes, readers }) => {
  const found = new Set(readers.length === 0 ? [UNREAD] : []);
  const committed = new Map(changes.map((change) => [nameOf(change), change]));
  const ids = new Map<string, string>();
  const names = new Map<string, string>();
  for (const { name: reader, events } of readers) {
    const seen = new Set<string>();
    const reached = new Map<string, number>();
    for (const event of events) {
      const published = changeOf(event);
      const name = nameOf(published);
      const change = committed.get(name);
      if (change === undefined) found.add(`${event.id} (${event.type} ${name}) tells of no commit`);
      else if (
        change.type !== undefined &&
        (change.type !== published.type || change.requestId !== published.requestId)
      )
        found.add(`${event.id} (${event.type}, ${published.requestId}) differs from the commit ${name}`);
      if ((ids.get(name) ?? event.id) !== event.id)
        found.add(`${name} has ids ${ids.get(name)}, ${event.id}`);
      if ((names.get(event.id) ?? name) !== name)
        found.add(`${event.id} is of ${names.get(event.id)}, ${name}`);
      ids.set(name, event.id);
      names.set(event.id, name);
      if (seen.has(name)) continue;
      seen.add(name);
      const { subject, sequence } = published;
      if (sequence === undefined) continue;
      const before = reached.get(subject) ?? 0;
      if (sequence !== before + 1) found.add(`${reader}: ${event.id} is ${name} after ${before}`);
      reached.set(subject, Math.max(before, sequence));
    }
    for (const name of committed.keys()) if (!seen.has(name)) found.add(`${reader} did not see ${name}`);
  }
  return found;
};

/**
 * After a gap each reader sees the gap, the last state of each Record, every other change that a document tells of, and nothing else.
 */
export function* checkFeedAfterGap({ changes, readers }: History): Generator<string> {
  if (readers.length === 0) yield UNREAD;
  const committed = new Set(changes.map(nameOf));
  const last = new Map(
    changes.map((change) => [change.sequence === undefined ? nameOf(change) : change.subject, change]),
  );
  for (const { name: reader, events } of readers) {
    if (!events.some(({ type }) => type === GAP)) yield `${reader} saw no gap`;
    const seen = new Set(events.filter(({ type }) => type !== GAP).map((event) => nameOf(changeOf(event))));
    for (const name of seen)
      if (!committed.has(name)) yield `${reader} saw ${name}, which tells of no commit`;
    for (const name of [...last.values()].map(nameOf))
      if (!seen.has(name)) yield `${reader} did not see ${name}`;
  }
}
