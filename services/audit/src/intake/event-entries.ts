import type { StoredMessage } from '@action-platform/bus';
import { type AuditEntry, targetsAmong, viaGrant } from '@action-platform/contracts/audit';
import { operatorCalls } from '@action-platform/contracts/calls';
import {
  type ChangeEvent,
  changeEvent,
  changeEventTypes,
  eventsIn,
} from '@action-platform/contracts/change-events';
import { errorCatalogue } from '@action-platform/contracts/errors';
import { memberRoutes } from '@action-platform/contracts/resources';
import { callIdOf } from '../blocks/terms.ts';
import { outcomeOf } from './published-entries.ts';

/** The changes of a call. */
export interface ChangedBy {
  readonly workspaceId: string;
  readonly ids: { readonly request_id: string; readonly call_id?: string };
  readonly events: ChangeEvent[];
}

/** The text that identifies a call. */
export function keyOf({ workspaceId, ids }: Pick<ChangedBy, 'workspaceId' | 'ids'>): string {
  return `${workspaceId} ${callIdOf(ids)}`;
}

/** The changes in messages, by the call that made them. */
export function changesByCall(messages: readonly StoredMessage[]): Map<string, ChangedBy> {
  const byCall = new Map<string, ChangedBy>();
  for (const message of messages) {
    const { workspaceId } = message;
    if (workspaceId === undefined) continue;
    for (const published of eventsIn(message)) {
      const event = changeEvent.safeParse(published).data;
      if (event === undefined) continue;
      const { request_id, call_id } = event.data;
      if (request_id === undefined || causeOf(event) === undefined) continue;
      const ids = { request_id, ...(call_id !== undefined && { call_id }) };
      const key = keyOf({ workspaceId, ids });
      byCall.getOrInsert(key, { workspaceId, ids, events: [] }).events.push(event);
    }
  }
  return byCall;
}

/** The entry of a call that changed something, and whose own entry is missing: nobody knows of an answer. */
export function entryOfChanges({ ids, events }: ChangedBy, grantName?: string | null): AuditEntry {
  const [first] = events as [ChangeEvent];
  const { actor } = first.data;
  const { grant_id, invocation_id } = actor;
  const causes = events.map((event) => causeOf(event)!);
  const [{ call, code }] = causes as [(typeof causes)[0]];
  const answer =
    code === undefined
      ? ({ status: 200, code: 'ok' } as const)
      : { status: errorCatalogue[code].status, code };
  return {
    at: first.time,
    ...ids,
    user_id: actor.operator ?? actor.user_id ?? first.data.user_id ?? '',
    via: actor.operator === undefined ? viaGrant(grant_id) : 'operator',
    ...(grant_id !== undefined && { grant_id }),
    ...(grantName && { grant_name: grantName }),
    ...(invocation_id !== undefined && { invocation_id }),
    operation: names.get(call) ?? call,
    targets: targetsAmong(
      [
        first.data.approval_id,
        ...events.flatMap(({ subject, data }) => [data.collection_id, data.definition_id, subject]),
      ],
      // The subject of a change of a Member is the user id.
      events.flatMap(({ subject, data }) => (subject === data.user_id ? [subject] : [])),
    ),
    ...answer,
    outcome: causes.find(({ outcome }) => outcome !== undefined)?.outcome ?? outcomeOf(answer),
    replayed: false,
    answered: false,
  };
}

function causeOf(event: ChangeEvent) {
  return changeEventTypes[event.type].cause(event);
}

/** The names of routes for Members and of operators' commands in the audit log, by the ids of their calls; an operation has its id. */
const names = new Map([
  ...memberRoutes.map(({ id, method, path }) => [id, `${method.toUpperCase()} ${path}`] as const),
  ...operatorCalls.map(({ id, command }) => [id, command] as const),
]);
