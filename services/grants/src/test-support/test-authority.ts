import { randomUUID } from 'node:crypto';
import type { BusReply } from '@action-platform/bus';
import { hashGrantSecret, type Principal, type Role } from '@action-platform/contracts/authority';
import { busHeaders } from '@action-platform/contracts/bus';
import {
  addMailbox,
  addMember,
  authorize,
  type Call,
  type Credential,
  connectApp,
  createWorkspace,
  describeMailboxes,
  discover,
  findCollections,
  findSenders,
} from '@action-platform/contracts/calls';
import { ActionError, invalidRequest } from '@action-platform/contracts/errors';
import { type Grant, grantRoutes, type SessionClaims } from '@action-platform/contracts/resources';
import { openStored } from '@action-platform/mongo';
import { TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { z } from 'zod';
import { storedApprovals } from '../approvals/stored-approval.ts';
import { storedRuns } from '../cadence/stored-run.ts';
import { storedGrants } from '../grants/stored-grant.ts';
import { storedMembers } from '../members/stored-member.ts';
import { storedWorkspaces } from '../members/stored-workspace.ts';
import { grants } from '../service.ts';

/** The answer to the creation of a grant. */
export interface Created {
  readonly grant: Grant;
  readonly secret: string;
}

/** The only Collection that the record-store stand-in knows. */
export const KNOWN_COLLECTION = 'col_known';

/** The only sender that the mail stand-in knows. */
export const KNOWN_SENDER = 'snd_known';

/** The only provider that the mail stand-in knows. */
export const KNOWN_PROVIDER = 'local';

/** A routine grant request that every Member may make. */
export const aRoutine = {
  name: 'Nightly import',
  operations: ['record_store.push_record', 'record_store.get_record'],
  data: { collectionIds: [KNOWN_COLLECTION] },
  maximumCadence: { invocations: 100, periodSeconds: 3600 },
};

/** The grants service under test, and the calls of its callers. */
export class TestAuthority {
  readonly platform = new TestPlatform();
  readonly #tomorrow = inDays(1);
  /** The mailboxes that the mail stand-in received, by the connection id that it answered. */
  readonly mailboxes = new Map<string, z.output<typeof addMailbox.input>>();

  /** Starts replicas, and stand-ins for the record-store (by default) and mail. */
  async start({
    replicas = 1,
    recordStore = true,
    environment = {},
  }: {
    replicas?: number;
    recordStore?: boolean;
    environment?: Readonly<Record<string, string>>;
  } = {}): Promise<void> {
    for (let replica = 0; replica < replicas; replica++)
      await this.platform.startService(grants, environment);
    if (recordStore) await this.serveCollections();
    await this.platform.answer(findSenders, ({ ids }) => ({
      found: ids.filter((id) => id === KNOWN_SENDER),
    }));
    await this.platform.answer(addMailbox, (mailbox) => {
      if (mailbox.provider !== KNOWN_PROVIDER) {
        return invalidRequest(`provider: there is no ${JSON.stringify(mailbox.provider)}.`);
      }
      const connectionId = `con_mailbox${this.mailboxes.size}`;
      this.mailboxes.set(connectionId, mailbox);
      return { connectionId };
    });
    await this.platform.answer(describeMailboxes, ({ connectionIds }) => {
      const mailboxes = connectionIds.flatMap((connectionId) => {
        const mailbox = this.mailboxes.get(connectionId);
        return mailbox === undefined ? [] : [{ ...mailbox, connectionId, available: true }];
      });
      return { mailboxes };
    });
  }

  stop(): Promise<void> {
    return this.platform.stop();
  }

  /** Starts a stand-in for the record-store on the real bus. */
  async serveCollections(): Promise<void> {
    await this.platform.answer(findCollections, ({ ids }) => ({
      found: ids.filter((id) => id === KNOWN_COLLECTION),
    }));
  }

  /** The collections of the service's database. */
  async collections() {
    const { db } = await this.platform.database('grants');
    return {
      workspaces: openStored(db, storedWorkspaces),
      members: openStored(db, storedMembers),
      grants: openStored(db, storedGrants),
      runs: openStored(db, storedRuns),
      approvals: openStored(db, storedApprovals),
    };
  }

  async workspace(): Promise<string> {
    return (await this.admin(createWorkspace, { name: 'Acme' })).workspace_id;
  }

  /** A new Member, of a new Workspace unless one is named. */
  async member({
    role = 'member',
    workspace,
    mail = false,
  }: {
    role?: Role;
    workspace?: string;
    mail?: boolean;
  } = {}): Promise<SessionClaims> {
    const workspaceId = workspace ?? (await this.workspace());
    const userId = `user-${randomUUID()}`;
    await this.admin(addMember, { workspace: workspaceId, user: userId, role });
    if (mail) await this.admin(connectApp, { workspace: workspaceId, user: userId, app: 'mail_suite' });
    return { workspaceId, userId };
  }

  /** A new Workspace's Owner, and a Member of it. */
  async colleagues({ mail = false } = {}) {
    const owner = await this.member({ role: 'owner', mail });
    return { owner, member: await this.member({ workspace: owner.workspaceId, mail }) };
  }

  /** Makes an operator's call. */
  admin<Input extends z.ZodObject, Output extends z.ZodType>(
    call: Call<Input, Output>,
    input: z.input<Input>,
  ) {
    return this.platform.callAs('admin', call, input);
  }

  /** Makes a signed-in Member's call that manages grants. */
  manage<Input extends z.ZodObject, Output extends z.ZodType>(
    session: SessionClaims,
    call: Call<Input, Output>,
    input: z.input<Input>,
  ) {
    return this.platform.callAs('gateway', call, input, { [busHeaders.principal]: JSON.stringify(session) });
  }

  /** The reply to a signed-in user's call with exactly this body. */
  async reply(session: SessionClaims, call: Call, body: string, timeoutMs = 10_000): Promise<BusReply> {
    const bus = await this.platform.connect('gateway');
    const headers = { [busHeaders.requestId]: 'req_1', [busHeaders.principal]: JSON.stringify(session) };
    return await bus.request(call.subject, body, { timeoutMs, headers });
  }

  /** The error code of such a call, or `ok`. */
  async outcomeOfBody(session: SessionClaims, call: Call, body: string): Promise<string> {
    const { body: answer } = await this.reply(session, call, body);
    const { error } = JSON.parse(Buffer.from(answer).toString()) as { error?: { code: string } };
    return error?.code ?? 'ok';
  }

  async operationGrant(
    session: SessionClaims,
    operationScope: string,
    idempotencyKey?: string,
  ): Promise<Created> {
    const request = { operationScope, expiresAt: this.#tomorrow, idempotencyKey };
    return (await this.manage(session, grantRoutes.operation.create, request)) as Created;
  }

  async routineGrant(
    session: SessionClaims,
    request: Partial<z.input<typeof grantRoutes.routine.create.input>> = {},
  ): Promise<Created> {
    const routine = { ...aRoutine, expiresAt: this.#tomorrow, ...request };
    return (await this.manage(session, grantRoutes.routine.create, routine)) as Created;
  }

  /** Lets the time of grants be over. */
  async expire(...ids: readonly string[]): Promise<void> {
    const { grants } = await this.collections();
    await grants.updateMany({ _id: { $in: ids } }, { $set: { expires_at: new Date() } });
  }

  /** The principal of a call; fails when a rule may hold it. */
  async authorize(credential: Credential, operation: string, invocationId?: string): Promise<Principal> {
    const input = { credential, operation, ...(invocationId === undefined ? {} : { invocationId }) };
    const answer = await this.platform.callAs('gateway', authorize, input);
    if ('subjectToApproval' in answer) throw new Error('a rule may hold the call');
    return answer;
  }

  /** The outcomes of enough calls that both replicas answer some. */
  async outcomes(credential: Credential, operation: string): Promise<Set<string>> {
    const call = () => outcomeOf(this.authorize(credential, operation, 'run-1'));
    return new Set(await Promise.all(Array.from({ length: 12 }, call)));
  }

  async discover(credential: Credential): Promise<string[]> {
    return (await this.platform.callAs('gateway', discover, { credential })).operations;
  }
}

/** The grants service for the tests of a file. */
export function testAuthority(options: Parameters<TestAuthority['start']>[0] = {}): TestAuthority {
  const authority = new TestAuthority();
  beforeAll(() => authority.start(options));
  afterAll(() => authority.stop());
  return authority;
}

/** A Member in the input of an operator's call. */
export const who = ({ workspaceId, userId }: SessionClaims) => ({ workspace: workspaceId, user: userId });

/** The credential of a signed-in user. */
export function session({ workspaceId, userId }: SessionClaims): Credential {
  return { kind: 'session', workspaceId, userId };
}

/** The credential of the holder of a grant's secret. */
export function holder({ secret }: { readonly secret: string }): Credential {
  return { kind: 'grant', secretHash: hashGrantSecret(secret) };
}

/** The time this many days from now, RFC 3339. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}

/** The error of a refused call; fails when the call succeeds. */
export async function refusal(call: Promise<unknown>): Promise<ActionError> {
  const outcome = await call.catch((error: unknown) => error);
  if (outcome instanceof ActionError) return outcome;
  throw new Error(`the call was not refused but answered ${JSON.stringify(outcome)}`);
}

/** Expects the refusal of an invalid request, whose message has this text. */
export async function expectInvalid(call: Promise<unknown>, text: string | RegExp): Promise<void> {
  const { code, message } = await refusal(call);
  expect([code, message]).toEqual(['invalid_request', expect.stringMatching(text)]);
}

/** The error code of a call, or `ok`. */
export async function outcomeOf(call: Promise<unknown>): Promise<string> {
  return await call.then(
    () => 'ok',
    (error: unknown) => (error instanceof ActionError ? error.code : String(error)),
  );
}
