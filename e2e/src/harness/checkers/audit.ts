import type { AuditEntry } from '@action-platform/contracts/audit';
import type { ChangeEvent } from '@action-platform/contracts/change-events';
import { operations, pushRecords } from '@action-platform/contracts/operations';
import { type Action, entriesOf, type History, isUnknown } from '../history.ts';

/** The actions that make a commit whenever they are acknowledged and no replay. */
const COMMITTING = ['push', 'replace', 'patch'] as const;
const WRITES: readonly Action['what'][] = [
  ...COMMITTING,
  ...(['archive', 'restore', 'delete', 'revoke', 'grant', 'routine', 'draft'] as const),
  ...(['collection', 'procedure'] as const),
];
const isCommitting = ({ operation }: AuditEntry) =>
  COMMITTING.some((what) => operation === `record_store.${what}_record`);

/** Whether an entry tells of a write. */
export const isOfWrite = ({ operation, via }: AuditEntry) =>
  via === 'operator' ||
  operations.get(operation)?.effect === 'write' ||
  /^(POST|PUT|PATCH|DELETE) /.test(operation);

/** The id of one call, also when others share its request id. */
const callOf = ({ request_id, call_id }: { request_id?: string | undefined; call_id?: string | undefined }) =>
  call_id ?? request_id!;

/** The events of acknowledged calls. The question for an approval belongs to a refused one, which shares an entry beyond 60 a minute. */
const eventsOfWrites = ({ readers }: History) =>
  readers[0]!.events.filter(({ type }) => type !== 'approval.requested');

/** Each commit and each acknowledged write has one entry, with its own user and targets, and no entry tells of a commit that is none. */
export function* checkAudit(history: History): Generator<string> {
  const events = eventsOfWrites(history);
  const entriesOfCall = Map.groupBy(history.audit, callOf);
  const committed = new Set(events.map(({ data }) => callOf(data)));
  const subjects = new Set(events.map(({ subject }) => subject));
  for (const event of new Map(events.map((event) => [event.id, event])).values())
    yield* checkCommit(event, entriesOfCall.get(callOf(event.data)) ?? []);
  const acknowledged = new Set<string>();
  yield* checkAttempts(history, acknowledged);
  for (const entry of history.audit) {
    const { request_id, code, replayed, via } = entry;
    // A command that found everything as it wants it changes nothing.
    if (code !== 'ok' || replayed || via === 'operator' || committed.has(callOf(entry))) continue;
    // A push of many that replayed each item has their Records as its targets.
    const isReplay =
      entry.operation === pushRecords.id && entry.targets.slice(1).every((id) => subjects.has(id));
    if (isCommitting(entry) || !(acknowledged.has(request_id) || isReplay))
      yield `the entry ${JSON.stringify(entry)} tells of no commit`;
  }
}

function* checkCommit({ type, subject, data }: ChangeEvent, own: readonly AuditEntry[]): Generator<string> {
  const commit = `the commit of ${data.request_id} (${type} ${subject})`;
  if (own.length !== 1) yield `${commit} has ${own.length} entries`;
  for (const entry of own) {
    if (entry.request_id !== data.request_id) yield `${commit} has an entry of ${entry.request_id}`;
    if (entry.code !== 'ok' || data.sequence === undefined) continue;
    const named = [...(data.approval_id ? [data.approval_id] : []), data.collection_id, subject];
    // A push of many has one entry, which names each Record.
    const isOfMany = entry.operation === pushRecords.id;
    const targets = isOfMany ? entry.targets.filter((id) => named.includes(id)) : entry.targets;
    const [actual, expected] = [`${entry.user_id} ${targets}`, `${data.actor.user_id} ${named}`];
    if (actual !== expected) yield `${commit} of ${expected} has the entry of ${actual}`;
  }
}

/** @param acknowledged gets the request ids of acknowledged writes */
function* checkAttempts(history: History, acknowledged: Set<string>): Generator<string> {
  const writes = entriesOf(history, ...WRITES);
  const callsOf = new Map<string, Set<unknown>>();
  for (const { action, attempts } of writes)
    for (const attempt of attempts)
      callsOf
        .getOrInsertComputed(attempt.requestId, () => new Set())
        .add(('call' in action && action.call) || attempt);
  const entriesOfRequest = Map.groupBy(history.audit, ({ request_id }) => request_id);
  const events = eventsOfWrites(history);
  const committed = new Set(events.map(({ data }) => data.request_id));
  const changed = new Set(events.map(({ subject, data }) => `${data.request_id} ${subject}`));
  for (const { action, attempts, outcome } of writes) {
    // Pushes into the Workspace with a small quota are in the log and the feed of that one.
    if (action.what === 'push' && action.collection === history.limited.collection) continue;
    for (const { requestId, status, isReplay, isItem } of attempts) {
      const request = `${requestId} (${action.what}, ${status})`;
      const isShared = callsOf.get(requestId)!.size > 1;
      if (status !== 200 && status !== 201) {
        // Other items of the call may have committed.
        if (!isUnknown(status) && !isShared && isItem !== true && committed.has(requestId))
          yield `${request} was refused, and committed`;
        continue;
      }
      acknowledged.add(requestId);
      const own = entriesOfRequest.get(requestId) ?? [];
      // A killed gateway loses the entry of a write that changed nothing: no event tells of it.
      const isLost = own.length === 0 && !committed.has(requestId);
      if (!isShared && !isLost && (own.length !== 1 || own[0]!.code !== 'ok'))
        yield `${request} has the entries ${JSON.stringify(own)}`;
      const record = outcome.is === 'done' ? outcome.result.record : undefined;
      const isCommit = !isReplay && (COMMITTING as readonly string[]).includes(action.what);
      if (isCommit && !changed.has(`${requestId} ${record}`))
        yield `${request} was acknowledged, and has no event`;
    }
  }
}
