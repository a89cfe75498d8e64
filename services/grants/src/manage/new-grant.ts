import {
  ActionError,
  type ConnectedApp,
  type GrantKind,
  hashGrantSecret,
  newGrantSecret,
  newId,
  type Operation,
} from '@action-platform/contracts';
import type { GrantFields } from '../grants/stored-grant.ts';
import { whyUnavailable } from '../members/available.ts';
import type { Member } from '../members/member.ts';

const DAY_MS = 86_400_000;

/**
 * The operations with these ids, each once; ActionError `invalid_request` naming the first one that does not
 * exist or that the Member cannot use now. `field` is where the request names them.
 */
export function grantableOperations(
  operations: ReadonlyMap<string, Operation>,
  member: Member,
  field: string,
  ids: readonly string[],
): Operation[] {
  return [...new Set(ids)].map((id) => {
    const operation = operations.get(id);
    if (operation !== undefined && whyUnavailable(operation, member) === undefined) return operation;
    throw new ActionError('invalid_request', {
      message: `${field}: ${JSON.stringify(id)} is not an operation that this Member can call now.`,
    });
  });
}

/** The time an `expiresAt` names; ActionError `invalid_request` when it is past or too far ahead. */
export function expiryTime(expiresAt: string, now: Date, maxDays: number): Date {
  const time = new Date(expiresAt);
  const isInRange = time > now && time.getTime() <= now.getTime() + maxDays * DAY_MS;
  if (isInRange) return time;
  throw new ActionError('invalid_request', {
    message: `expiresAt: must be in the future and at most ${maxDays} days ahead.`,
  });
}

/** A new secret, and what is kept of a new grant that has it, bound to the Member as they are now. */
export function newGrant(
  kind: GrantKind,
  member: Member,
  operations: readonly Operation[],
  times: { now: Date; expiresAt: Date },
): { secret: string; fields: Omit<GrantFields, 'name'> } {
  const secret = newGrantSecret(kind);
  const fields = {
    _id: newId(kind === 'operation' ? 'operationGrant' : 'routineGrant'),
    secret_hash: hashGrantSecret(secret),
    secret_hint: secret.slice(-4),
    ...member._id,
    member_epoch: member.epoch,
    connection_ids: neededConnections(operations, member),
    operations: operations.map(({ id }) => id),
    created_at: times.now,
    expires_at: times.expiresAt,
    last_used_at: null,
    revoked_at: null,
  };
  return { secret, fields };
}

function neededConnections(operations: readonly Operation[], { connections }: Member): Member['connections'] {
  const needed: Partial<Record<ConnectedApp, string>> = {};
  for (const { app } of operations) {
    const id = app === undefined ? undefined : connections[app];
    if (app !== undefined && id !== undefined) needed[app] = id;
  }
  return needed;
}
