import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Principal, Role } from '@action-platform/contracts/authority';
import { busHeaders } from '@action-platform/contracts/bus';
import {
  addMailbox,
  addMember,
  addSender,
  type Call,
  createWorkspace,
} from '@action-platform/contracts/calls';
import { newId } from '@action-platform/contracts/ids';
import {
  listAuthorizedSenders,
  listSendHistory,
  type SendHistoryEntry,
  sendEmail,
} from '@action-platform/contracts/operations';
import type { SessionClaims } from '@action-platform/contracts/resources';
import type { RunningService } from '@action-platform/service-host';
import { aMember, anOwner, makeTestFolder, TestPlatform, type TestProcess } from '@action-platform/testing';
import { afterAll, beforeAll } from '@jest/globals';
import type { z } from 'zod';
import { type mail, mailWith } from '../service.ts';
import { TestMailSystem } from './test-mail-system.ts';

type Environment = Readonly<Record<string, string>>;

/** An e-mail that every rule allows. */
const hello = { to: ['ada@example.com'], subject: 'Hello', body: 'How are you?\n' };

/** A key for secrets with an id. Like every secret of a test it begins with `SECRET-`. */
export function newSecretKey(id: string): string {
  return `${id}:${Buffer.concat([Buffer.from('SECRET-'), randomBytes(25)]).toString('base64')}`;
}

/** The mail service, with the mail system in memory, for the tests of a file or of a `describe`. */
export function mailInTests(options: StartOptions = {}, system?: TestMailSystem): TestMail {
  const mail = new TestMail(system);
  beforeAll(() => mail.start(options));
  afterAll(() => mail.stop());
  return mail;
}

interface StartOptions {
  readonly replicas?: number;
  readonly environment?: Environment;
}

/** The mail service under test. */
export class TestMail {
  readonly platform = new TestPlatform();
  /** The mail system in memory, and the service with mailboxes of two providers in it. */
  readonly system: TestMailSystem;
  readonly service: typeof mail;
  readonly #keys = newSecretKey('k1');
  readonly #folder = makeTestFolder();
  #users = 0;

  constructor(system = new TestMailSystem()) {
    this.system = system;
    this.service = mailWith(async () => [system.provider('local'), system.provider('imap')]);
  }

  /** Starts replicas of the service with the mail system in memory. */
  async start({ replicas = 1, environment = {} }: StartOptions = {}) {
    for (let replica = 0; replica < replicas; replica++) await this.startWith(this.service, environment);
  }

  /** Starts a replica as a process of its own, so that a test can kill it. */
  async spawn(environment: Environment = {}): Promise<TestProcess> {
    return await this.platform.spawn('mail', { ...this.#environment, ...environment });
  }

  async stop(): Promise<void> {
    await this.platform.stop();
    await rm(this.#folder, { recursive: true });
  }

  /** A Member with a mailbox of their own, in a Workspace of its own unless one is named. */
  async member(workspaceId?: string): Promise<Principal> {
    return await this.connected(aMember(workspaceId === undefined ? {} : { workspaceId }));
  }

  /** An Owner with a mailbox of their own. */
  async owner(workspaceId?: string): Promise<Principal> {
    return await this.connected(anOwner(workspaceId === undefined ? {} : { workspaceId }));
  }

  /** The same Member after connecting a mailbox. */
  async connected(principal: Principal, mailbox: Partial<z.input<typeof addMailbox.input>> = {}) {
    const { workspaceId, userId } = principal;
    const own = { workspaceId, userId, email: `${userId}@example.com`, provider: 'local', settings: {} };
    const input = { ...own, ...mailbox };
    const { connectionId } = await this.platform.callAs('grants', addMailbox, input);
    return { ...principal, connections: { mail_suite: connectionId } };
  }

  /** Adds a shared mailbox, for everyone unless it names Members, and returns its sender id. */
  async share(workspaceId: string, mailbox: Partial<Omit<Shared, 'workspace'>> = {}): Promise<string> {
    const { sender } = await this.platform.callAs('admin', addSender, {
      workspace: workspaceId,
      email: 'team@example.com',
      display_name: 'Team',
      everyone: mailbox.member === undefined,
      interactive: true,
      scheduled: true,
      ...mailbox,
    });
    return sender.senderId;
  }

  async senders(principal: Principal) {
    return (await this.platform.call(listAuthorizedSenders, principal, {})).result.senders;
  }

  /** The sender id of a Member's own mailbox. */
  async ownSender(principal: Principal): Promise<string> {
    const { routine: _, ...interactive } = principal;
    const own = (await this.senders(interactive)).find(({ type }) => type === 'member_mailbox');
    return own!.sender_id;
  }

  send(principal: Principal, input: object = {}, timeoutMs = 10_000) {
    return this.platform.call(sendEmail, principal, { ...hello, ...input }, { timeoutMs });
  }

  /** Makes a call as a signed-in user. */
  as<Input extends z.ZodObject, Output extends z.ZodType>(
    { workspaceId, userId }: SessionClaims,
    call: Call<Input, Output>,
    input: object = {},
  ) {
    const headers = { [busHeaders.principal]: JSON.stringify({ workspaceId, userId }) };
    return this.platform.callAs('gateway', call, input as z.input<Input>, headers);
  }

  /** A user whom an operator adds to a Workspace, by default to a new one. The service `grants` must run. */
  async newUser(role: Role = 'member', workspace?: string): Promise<SessionClaims> {
    const { platform } = this;
    const workspaceId =
      workspace ?? (await platform.callAs('admin', createWorkspace, { name: 'Acme' })).workspace_id;
    const userId = `user-${++this.#users}`;
    await platform.callAs('admin', addMember, { workspace: workspaceId, user: userId, role });
    return { workspaceId, userId };
  }

  async history(principal: Principal): Promise<SendHistoryEntry[]> {
    return (await this.platform.call(listSendHistory, principal, {})).result.entries;
  }

  /** Ends every lease on a draft, as the time of leases does. */
  async expireLeases(): Promise<void> {
    const { db } = await this.platform.database('mail');
    const leased = { lease: { $exists: true } };
    await db.collection('attempts').updateMany(leased, { $set: { 'lease.until': new Date(0) } });
  }

  /** The id of a new Workspace. */
  newWorkspace(): string {
    return newId('workspace');
  }

  /** Starts a replica of a service, so that a test can stop it alone. */
  async startWith(service: typeof mail, environment: Environment = {}): Promise<RunningService> {
    return await this.platform.startService(service, { ...this.#environment, ...environment });
  }

  get #environment(): Environment {
    return { MAIL_LOCAL_DIR: this.#folder, MAIL_SECRET_KEYS: this.#keys };
  }
}

interface Shared {
  workspace: string;
  email: string;
  display_name: string;
  member?: string[];
  interactive: boolean;
  scheduled: boolean | undefined;
}
