import { randomBytes } from 'node:crypto';
import { hashGrantSecret, newGrantSecret } from '@action-platform/contracts/authority';
import { requireTimeLeft, type Timed } from '@action-platform/contracts/calls';
import { ActionError, invalidRequest } from '@action-platform/contracts/errors';
import { newId } from '@action-platform/contracts/ids';
import type {
  createdGrant,
  OperationGrantRequest,
  RoutineGrantRequest,
  Trust,
} from '@action-platform/contracts/resources';
import { fingerprintOf } from '@action-platform/json';
import type { MemberContext } from '@action-platform/service-host';
import type { Collection } from 'mongodb';
import type { z } from 'zod';
import { type DecidingFields, neededConnections, whyUnavailable } from '../members/availability.ts';
import type { Members } from '../members/members.ts';
import type { Membership } from '../members/stored-member.ts';
import { enforceGrantLimits, type GrantLimits } from './grant-limits.ts';
import type { CreateKey, Grants } from './grants.ts';
import { describeGrant, grantState } from './status.ts';
import type { GrantTerms, StoredGrant } from './stored-grant.ts';

const DAY_MS = 86_400_000;

interface CreateDependencies {
  readonly stored: { readonly grants: Collection<StoredGrant> };
  readonly members: Members;
  readonly grants: Grants;
  readonly limits: GrantLimits;
  /** The time by the clock of the database. */
  readonly now: (timed: Timed) => Promise<Date>;
}

/** A request for a grant that passed its checks. */
export interface CheckedRequest {
  readonly terms: GrantTerms;
  readonly operations: readonly DecidingFields[];
  readonly expiresAt: Date;
}

type Created = z.output<typeof createdGrant>;

/** The kinds of grants that are created with a secret. */
type CreatedKind = 'operation' | 'routine';

/**
 * Creates a grant for the Member of a call, bound to the Member's current authority epoch and connections.
 *
 * A caller may repeat a create with an idempotency key, because the answer with the secret may have been lost. A key that
 * has made a grant answers before any other check, with the same grant in any status. While its secret was never used, the
 * repetition replaces the secret, and the earlier one stops. After a use, the repetition changes nothing and answers
 * without a secret, so it stops no job. A new secret revives no grant that was revoked, has expired or has stopped.
 *
 * Each step has one commit point:
 *
 *   create    One insert. The unique index of the key admits one of several creates; the others repeat it.
 *   repeat    One update of the secret, if `last_used_at` is null. Of several, the last written secret works.
 *   first use One update of `last_used_at`, if the grant still has the presented secret (`Grants.markUsed`).
 *
 * A repetition and a first use update one document, so one comes first and the condition of the other is false: either the
 * use is refused and the new secret works, or the repetition answers without one. A crash before the answer leaves an
 * unknown secret, until the caller repeats the create.
 *
 * @param check checks the request, given the time of the database; not called when the key has made a grant.
 * @throws ActionError `grant_idempotency_conflict` when the key was used with other input; `invalid_request` when the
 *   Member or the Workspace has the most grants allowed; the errors of `check`.
 */
export async function createGrant(
  dependencies: CreateDependencies,
  kind: CreatedKind,
  { idempotencyKey, ...asked }: OperationGrantRequest | RoutineGrantRequest,
  context: MemberContext,
  member: Membership,
  check: (now: Date) => Promise<CheckedRequest>,
): Promise<Created> {
  const { now } = dependencies;
  const keyed =
    idempotencyKey === undefined ? undefined : await keyedBy(idempotencyKey, member, kind, asked, context);
  const earlier = await repeated(dependencies, keyed, context);
  if (earlier !== undefined) return earlier;

  const createdAt = await now(context);
  const checked = await check(createdAt);
  const { secret, kept } = newSecret(kind, asked.trust);
  const grant = newGrant(member, checked, { createdAt, ...kept }, context, keyed);
  const refusal = await insertWithinLimits(dependencies, grant, member, context);
  if (refusal === undefined)
    return { grant: describeGrant(grant, { status: 'active' }), ...(secret && { secret }) };
  // Another create with this key was first, or the limit is reached, or a change of primary rolled the other create back.
  const first = await repeated(dependencies, keyed, context);
  if (first === undefined) throw refusal;
  return first;
}

/**
 * Creates the grant of an agent, which has no secret and no idempotency key.
 *
 * @param storeCode stores the code of the grant, before the grant: a code without a grant expires, and nobody could use a grant without a code.
 */
export async function createAgentGrant(
  dependencies: CreateDependencies,
  context: MemberContext,
  member: Membership,
  check: (now: Date) => Promise<CheckedRequest>,
  storeCode: (grant: StoredGrant) => Promise<string>,
): Promise<{ readonly grant: StoredGrant; readonly code: string }> {
  const createdAt = await dependencies.now(context);
  const grant = newGrant(member, await check(createdAt), { createdAt, ...noSecret() }, context);
  const code = await storeCode(grant);
  const refusal = await insertWithinLimits(dependencies, grant, member, context);
  if (refusal !== undefined) throw refusal;
  return { grant, code };
}

/** A grant of a Member, bound to their authority epoch and their connections. */
function newGrant(
  member: Membership,
  { terms, operations, expiresAt }: CheckedRequest,
  { createdAt, ...secret }: { readonly createdAt: Date } & Pick<StoredGrant, 'secret_hash' | 'secret_hint'>,
  { origin }: MemberContext,
  keyed?: KeyedCreate,
): StoredGrant {
  return {
    _id: newId(`${terms.kind}Grant`),
    ...terms,
    ...secret,
    ...member._id,
    member_epoch: member.epoch,
    connection_ids: neededConnections(operations, member),
    operations: operations.map(({ id }) => id),
    created_at: createdAt,
    expires_at: expiresAt,
    last_used_at: null,
    revoked_at: null,
    origin,
    ...(keyed && { idempotency_key: keyed.key.idempotency_key, request_hash: keyed.requestHash }),
  };
}

/** Inserts a grant; returns the refusal when a limit is reached, or its idempotency key has made another one. */
async function insertWithinLimits(
  { stored, grants, limits }: CreateDependencies,
  grant: StoredGrant,
  member: Membership,
  context: MemberContext,
): Promise<ActionError | undefined> {
  const refusal = await enforceGrantLimits(stored.grants, member, limits, grant.created_at, context);
  if (refusal !== undefined) return refusal;
  const isInserted = await grants.insert(grant, context);
  return isInserted ? undefined : new ActionError('action_platform_unavailable');
}

/** A create with an idempotency key. */
interface KeyedCreate {
  readonly key: CreateKey;
  /** The fingerprint of the request, omitted fields at their defaults. */
  readonly requestHash: string;
}

async function keyedBy(
  idempotencyKey: string,
  { _id: { workspace_id, user_id } }: Membership,
  kind: CreatedKind,
  asked: object,
  context: MemberContext,
): Promise<KeyedCreate> {
  const key = { workspace_id, user_id, kind, idempotency_key: idempotencyKey };
  return { key, requestHash: await fingerprintOf(asked, '', context) };
}

/**
 * The answer to the repetition of a create: the grant of the key, with a new secret when its secret was never used.
 * Undefined without a key, or when the key has made no grant.
 */
async function repeated(
  dependencies: Pick<CreateDependencies, 'members' | 'grants'>,
  keyed: KeyedCreate | undefined,
  context: MemberContext,
): Promise<Created | undefined> {
  if (keyed === undefined) return undefined;
  const { members, grants } = dependencies;
  const grant = await grants.findByKey(keyed.key, context);
  if (grant === undefined) return undefined;
  if (grant.request_hash !== keyed.requestHash) throw new ActionError('grant_idempotency_conflict');
  context.markReplayed();
  const holder = await members.holderOf(grant, context);
  const describe = (current: StoredGrant) => describeGrant(current, grantState(current, holder, grant.as_of));
  if (grant.last_used_at !== null || grant.kind === 'agent' || grant.trust !== undefined)
    return { grant: describe(grant) };

  // A caller whose deadline has passed may have repeated the call, and a new secret would stop the one in its answer.
  requireTimeLeft(context);
  const { secret, kept } = newSecret(grant.kind);
  const renewed = await grants.replaceUnusedSecret(grant, kept, context);
  // Since the read the secret was used, or the grant ended and was deleted.
  if (renewed === undefined) return await repeated(dependencies, keyed, context);
  return { grant: describe(renewed), secret: secret! };
}

/** The secret of a grant, and what is stored of it; none with a trust. */
function newSecret(kind: CreatedKind, trust?: Trust) {
  if (trust !== undefined) return { secret: undefined, kept: noSecret() };
  const secret = newGrantSecret(kind);
  return { secret, kept: { secret_hash: hashGrantSecret(secret), secret_hint: secret.slice(-4) } };
}

/** In the place of a secret: the hashes of secrets are unique, and nobody has the secret of this one. */
function noSecret() {
  return { secret_hash: randomBytes(32).toString('base64url'), secret_hint: null };
}

/**
 * The operations with these ids, each once.
 *
 * @param field the field of the request that names them.
 * @throws ActionError `invalid_request` with the first id that is unknown or that the Member cannot use now.
 */
export function grantableOperations(
  operations: ReadonlyMap<string, DecidingFields>,
  member: Membership,
  field: string,
  ids: readonly string[],
): DecidingFields[] {
  return [...new Set(ids)].map((id) => {
    const operation = operations.get(id);
    if (operation !== undefined && whyUnavailable(operation, member) === undefined) return operation;
    throw invalidRequest(
      `${field}: ${JSON.stringify(id)} is not an operation that this Member can call now.`,
    );
  });
}

/** Reads an `expiresAt`; throws ActionError `invalid_request` for a time that is past or too far ahead. */
export function expiryTime(expiresAt: string, now: Date, maxDays: number): Date {
  // RFC 3339, section 5.6, allows T and Z in lower case, which Date rejects.
  const time = new Date(expiresAt.toUpperCase());
  const isInRange = time > now && time.getTime() <= now.getTime() + maxDays * DAY_MS;
  if (isInRange) return time;
  throw invalidRequest(`expiresAt: must be in the future and at most ${maxDays} days ahead.`);
}
