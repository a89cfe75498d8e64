import type { StoredMessage } from '@action-platform/bus';
import {
  type AuditEntry,
  addMember,
  addSender,
  appConnectionRoutes,
  approvalRoutes,
  archiveRecord,
  type ChangeEvent,
  type ChangeEventType,
  changeEvent,
  connectApp,
  createCollection,
  createDraft,
  deleteRecord,
  disconnectApp,
  grantRoutes,
  isIdOf,
  membershipRoutes,
  patchRecord,
  pushRecord,
  type Route,
  removeMember,
  removeSender,
  replaceRecord,
  restoreRecord,
  revokeGrantOf,
  sendEmail,
  senderRoutes,
  setMemberRole,
  targetsAmong,
  viaGrant,
  webhookRoutes,
} from '@action-platform/contracts';
import { z } from 'zod';
import { callIdOf } from '../blocks/terms.ts';
import { parsedBody } from './published-entries.ts';

/** The changes of a call. */
export interface ChangedBy {
  readonly workspaceId: string;
  readonly ids: { readonly request_id: string; readonly call_id?: string };
  readonly events: ChangeEvent[];
}

const events = z.array(changeEvent);

/** The changes in messages, by the call that made them. */
export function changesByCall(messages: readonly StoredMessage[]): ChangedBy[] {
  const calls = new Map<string, ChangedBy>();
  for (const { workspaceId, body } of messages) {
    if (workspaceId === undefined) continue;
    for (const event of events.safeParse(parsedBody(body)).data ?? []) {
      const { request_id, call_id } = event.data;
      // Of a refused e-mail no reason is known, and it changed nothing.
      if (request_id === undefined || operationOf(event) === undefined) continue;
      const ids = { request_id, ...(call_id !== undefined && { call_id }) };
      const key = `${workspaceId} ${callIdOf(ids)}`;
      calls.getOrInsert(key, { workspaceId, ids, events: [] }).events.push(event);
    }
  }
  return [...calls.values()];
}

/** The entry of a call that changed something, and whose own entry is missing: nobody knows of an answer. */
export function entryOfChanges({ ids, events }: ChangedBy, grantName?: string | null): AuditEntry {
  const [first, ...others] = events;
  const { actor } = first!.data;
  const { grant_id, invocation_id } = actor;
  return {
    at: first!.time,
    ...ids,
    user_id: actor.operator ?? actor.user_id ?? first!.data.user_id ?? '',
    via: actor.operator === undefined ? viaGrant(grant_id) : 'operator',
    ...(grant_id !== undefined && { grant_id }),
    ...(grantName && { grant_name: grantName }),
    ...(invocation_id !== undefined && { invocation_id }),
    operation: operationOf(first!)!,
    targets: targetsAmong([
      first!.data.approval_id,
      ...[first!, ...others].flatMap(({ subject, data }) => [data.collection_id, subject]),
    ]),
    status: 200,
    code: 'ok',
    outcome: events.some(({ type }) => type === 'mail.failed') ? 'failed' : 'done',
    replayed: false,
    answered: false,
  };
}

/** The operation, the route or the command that makes a change of each type. */
const operations: Readonly<Partial<Record<ChangeEventType, string>>> = {
  'collection.created': createCollection.id,
  'record.pushed': pushRecord.id,
  'record.replaced': replaceRecord.id,
  'record.patched': patchRecord.id,
  'record.archived': archiveRecord.id,
  'record.restored': restoreRecord.id,
  'record.deleted': deleteRecord.id,
  'approval.approved': nameOf(approvalRoutes.decide),
  'approval.rejected': nameOf(approvalRoutes.decide),
  'approval_rules.changed': nameOf(approvalRoutes.setRules),
  'mail.drafted': sendEmail.id,
  'mail.failed': sendEmail.id,
  'procedure.drafted': createDraft.id,
  'webhook_endpoint.created': nameOf(webhookRoutes.create),
  'webhook_endpoint.changed': nameOf(webhookRoutes.change),
  'webhook_endpoint.deleted': nameOf(webhookRoutes.delete),
};

/** The command of operators and the route of Members that make a change of each type. */
const byEither: Readonly<Partial<Record<ChangeEventType, readonly [command: string, route: string]>>> = {
  'member.added': [addMember.command, nameOf(membershipRoutes.add)],
  'member.role_changed': [setMemberRole.command, nameOf(membershipRoutes.change)],
  'member.removed': [removeMember.command, nameOf(membershipRoutes.remove)],
  'app.connected': [connectApp.command, nameOf(appConnectionRoutes.connect)],
  'app.disconnected': [disconnectApp.command, nameOf(appConnectionRoutes.disconnect)],
  'sender.added': [addSender.command, nameOf(senderRoutes.add)],
  'sender.changed': [addSender.command, nameOf(senderRoutes.change)],
  'sender.removed': [removeSender.command, nameOf(senderRoutes.remove)],
};

function operationOf({ type, subject, data }: ChangeEvent): string | undefined {
  const either = byEither[type];
  if (either !== undefined) return either[data.actor.user_id === undefined ? 0 : 1];
  if (type === 'webhook_endpoint.changed' && data.secret_rotated) return nameOf(webhookRoutes.rotate);
  if (type !== 'grant.created' && type !== 'grant.revoked') return operations[type];
  const routes = grantRoutes[isIdOf('routineGrant', subject) ? 'routine' : 'operation'];
  if (type === 'grant.created') return nameOf(routes.create);
  return data.actor.operator === undefined ? nameOf(routes.revoke) : revokeGrantOf.command;
}

function nameOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`;
}
