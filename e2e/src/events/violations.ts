import { type AuditEntry, type ChangeEvent, operations } from '@action-platform/contracts';
import type { Attempt } from './writers.ts';

/** A change that the stored documents tell of. Of a former state of a Record they may know the sequence alone. */
export interface Change {
  readonly subject: string;
  /** Of a Record's commit. */
  readonly sequence?: number;
  readonly type: string | undefined;
  readonly requestId: string | undefined;
}

const GAP: ChangeEvent['type'] = 'feed.gap';

interface Reader {
  readonly name: string;
  readonly events: readonly ChangeEvent[];
}

const changeOf = ({ type, subject, data: { sequence, request_id } }: ChangeEvent): Change => ({
  ...{ type, subject, requestId: request_id },
  ...(sequence !== undefined && { sequence }),
});
const nameOf = ({ type, subject, sequence, requestId }: Change) =>
  sequence === undefined ? `${type} ${subject} ${requestId}` : `${subject} ${sequence}`;

/** How the events that readers got differ from the changes, as lines with the offending ids. */
export function feedViolations(changes: readonly Change[], readers: readonly Reader[]): string[] {
  const found = new Set<string>();
  const committed = new Map(changes.map((change) => [nameOf(change), change]));
  const ids = new Map<string, string>();
  const names = new Map<string, string>();
  for (const { name: reader, events } of readers) {
    const seen = new Set<string>();
    const reached = new Map<string, number>();
    for (const event of events) {
      const told = changeOf(event);
      const name = nameOf(told);
      const change = committed.get(name);
      if (change === undefined) found.add(`${event.id} (${event.type} ${name}) tells of no commit`);
      else if (
        change.type !== undefined &&
        (change.type !== told.type || change.requestId !== told.requestId)
      )
        found.add(`${event.id} (${event.type}, ${told.requestId}) differs from the commit ${name}`);
      if ((ids.get(name) ?? event.id) !== event.id)
        found.add(`${name} has ids ${ids.get(name)}, ${event.id}`);
      if ((names.get(event.id) ?? name) !== name)
        found.add(`${event.id} is of ${names.get(event.id)}, ${name}`);
      ids.set(name, event.id);
      names.set(event.id, name);
      if (seen.has(name)) continue;
      seen.add(name);
      const { subject, sequence } = told;
      if (sequence === undefined) continue;
      const before = reached.get(subject) ?? 0;
      if (sequence !== before + 1) found.add(`${reader}: ${event.id} is ${name} after ${before}`);
      reached.set(subject, Math.max(before, sequence));
    }
    for (const name of committed.keys()) if (!seen.has(name)) found.add(`${reader} did not see ${name}`);
  }
  return [...found];
}

/**
 * How the events that readers got after a gap differ from what is promised, as lines: each reader sees the gap, the last state of each
 * Record, every other change that a document tells of, and nothing else.
 */
export function violationsAfterGap(changes: readonly Change[], readers: readonly Reader[]): string[] {
  const found: string[] = [];
  const committed = new Set(changes.map(nameOf));
  const last = new Map(
    changes.map((change) => [change.sequence === undefined ? nameOf(change) : change.subject, change]),
  );
  for (const { name: reader, events } of readers) {
    if (!events.some(({ type }) => type === GAP)) found.push(`${reader} saw no gap`);
    const seen = new Set(events.filter(({ type }) => type !== GAP).map((event) => nameOf(changeOf(event))));
    for (const name of seen)
      if (!committed.has(name)) found.push(`${reader} saw ${name}, which tells of no commit`);
    for (const name of [...last.values()].map(nameOf))
      if (!seen.has(name)) found.push(`${reader} did not see ${name}`);
  }
  return found;
}

/** The operations that make a commit whenever they are acknowledged and no replay. */
const COMMITTING: ReadonlySet<string> = new Set(
  ['push', 'replace', 'patch'].map((name) => `record_store.${name}_record`),
);

/** Whether an entry tells of a write. */
export const isOfWrite = ({ operation, via }: AuditEntry) =>
  via === 'operator' || operations.get(operation)?.effect === 'write' || /^(POST|DELETE) /.test(operation);

/** How the audit log and the events differ from the requests of the writers, as lines with the offending ids. */
export function auditViolations(
  attempts: readonly Attempt[],
  events: readonly ChangeEvent[],
  entries: readonly AuditEntry[],
): string[] {
  const found: string[] = [];
  const entriesOf = Map.groupBy(entries, ({ request_id }) => request_id);
  const committed = new Map(events.map(({ type, data }) => [data.request_id!, type]));
  const acknowledged = new Set<string>();
  for (const { requestId, operation, status, isReplay } of attempts) {
    const request = `${requestId} (${operation}, ${status})`;
    if (status !== 200 && status !== 201) {
      const isRefused = status !== 0 && status !== 502;
      if (isRefused && committed.has(requestId)) found.push(`${request} was refused, and committed`);
      continue;
    }
    acknowledged.add(requestId);
    const own = entriesOf.get(requestId) ?? [];
    // A killed gateway loses the entry of a write that changed nothing: no event tells of it.
    const isLost = own.length === 0 && !committed.has(requestId);
    if (!isLost && (own.length !== 1 || own[0]!.code !== 'ok'))
      found.push(`${request} has the entries ${JSON.stringify(own)}`);
    if (!isReplay && COMMITTING.has(operation) && !committed.has(requestId))
      found.push(`${request} was acknowledged, and has no event`);
  }
  for (const [requestId, type] of committed) {
    const count = entriesOf.get(requestId)?.length ?? 0;
    if (count !== 1) found.push(`the commit of ${requestId} (${type}) has ${count} entries`);
  }
  for (const entry of entries.filter(isOfWrite)) {
    const { request_id, code, replayed, via } = entry;
    // A command that found everything as it wants it changes nothing.
    if (code !== 'ok' || replayed || via === 'operator') continue;
    if (acknowledged.has(request_id) || committed.has(request_id)) continue;
    found.push(`the entry ${JSON.stringify(entry)} tells of no commit`);
  }
  return found;
}
