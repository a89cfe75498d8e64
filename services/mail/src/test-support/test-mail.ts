import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  addMailbox,
  addMember,
  addSender,
  busHeaders,
  type Call,
  createWorkspace,
  listAuthorizedSenders,
  listSendHistory,
  newId,
  type Principal,
  type Role,
  type SendHistoryEntry,
  type SessionClaims,
  sendEmail,
} from '@action-platform/contracts';
import type { RunningService } from '@action-platform/service-host';
import { aMember, anOwner, TestPlatform, type TestProcess } from '@action-platform/testing';
import type { z } from 'zod';
import type { MailProvider } from '../providers/provider.ts';
import { mail, mailWith } from '../service.ts';
import { localFixture } from './local-fixture.ts';
import type { MailSystemFixture } from './mail-system-fixture.ts';

type Environment = Readonly<Record<string, string>>;

/** An e-mail that every rule allows. */
const hello = { to: ['ada@example.com'], subject: 'Hello', body: 'How are you?\n' };

/** A key for secrets with an id. Like every secret of a test it begins with `SECRET-`. */
export function newSecretKey(id: string): string {
  return `${id}:${Buffer.concat([Buffer.from('SECRET-'), randomBytes(25)]).toString('base64')}`;
}

/** The mail service under test, with a folder of drafts of its own. */
export class TestMail {
  readonly platform = new TestPlatform();
  /** The value of MAIL_LOCAL_DIR. */
  folder = '';
  readonly #fixture: MailSystemFixture;
  readonly #keys = newSecretKey('k1');
  #users = 0;

  /** @param fixture the mail system of the mailboxes; by default the local provider. */
  constructor(fixture: MailSystemFixture = localFixture()) {
    this.#fixture = fixture;
  }

  /** Starts the service with the local provider; by default the folder of drafts is served to callers. */
  async start(
    environment: Environment = { MAIL_LOCAL_DRAFT_URL_BASE: 'https://drafts.example.com' },
  ): Promise<void> {
    await this.startWith(mail, environment);
  }

  /** Starts the mail system, and two replicas with its provider. @param change what to use instead of it */
  async startTwo(change = (provider: MailProvider) => provider): Promise<void> {
    await this.#fixture.start();
    await this.startTwoWith(async (folder) => change(await this.#fixture.open(folder)));
  }

  /** Starts two replicas with the provider that `open` returns for the folder of drafts. */
  async startTwoWith(open: (folder: string) => Promise<MailProvider>): Promise<void> {
    const service = mailWith(async ({ MAIL_LOCAL_DIR }) => [await open(MAIL_LOCAL_DIR)]);
    await this.startWith(service);
    await this.startWith(service);
  }

  /** Starts a replica as a process of its own, so that a test can kill it. */
  async spawn(environment: Environment = {}): Promise<TestProcess> {
    return await this.platform.spawn('mail', { ...(await this.#environment()), ...environment });
  }

  async stop(): Promise<void> {
    await this.platform.stop();
    await this.#fixture.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** A Member with a mailbox of their own, in a Workspace of its own unless one is named. */
  async member(workspaceId?: string, mailbox: { email?: string } = {}): Promise<Principal> {
    return await this.#connected(aMember(workspaceId === undefined ? {} : { workspaceId }), mailbox);
  }

  /** An Owner with a mailbox of their own. */
  async owner(workspaceId?: string): Promise<Principal> {
    return await this.#connected(anOwner(workspaceId === undefined ? {} : { workspaceId }), {});
  }

  /** The same Member after connecting a mailbox again. */
  async reconnected(principal: Principal, email: string): Promise<Principal> {
    return await this.#connected(principal, { email });
  }

  async #connected(principal: Principal, { email }: { email?: string }): Promise<Principal> {
    const { workspaceId, userId } = principal;
    const address = email ?? `${userId}@example.com`;
    const options = this.#fixture.mailbox(workspaceId, address);
    const mailbox = { workspaceId, userId, email: address, ...options };
    const { connectionId } = await this.platform.callAs('grants', addMailbox, mailbox);
    return { ...principal, connections: { mail_suite: connectionId } };
  }

  /** Adds a shared mailbox, for everyone unless it names Members, and returns its sender id. */
  async share(workspaceId: string, mailbox: Partial<Omit<Shared, 'workspace'>> = {}): Promise<string> {
    const email = mailbox.email ?? 'team@example.com';
    const { settings, ...options } = this.#fixture.mailbox(workspaceId, email);
    const { sender } = await this.platform.callAs('admin', addSender, {
      workspace: workspaceId,
      ...settings,
      ...options,
      email,
      display_name: 'Team',
      everyone: mailbox.member === undefined,
      interactive: true,
      scheduled: true,
      ...mailbox,
    });
    return sender.sender_id;
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

  /** All drafts of a Workspace, as its mail system keeps them. */
  async drafts(workspaceId: string): Promise<Buffer[]> {
    return (await this.#fixture.drafts(workspaceId)).map(({ message }) => message);
  }

  /** The ids of all drafts of a Workspace. */
  async draftIds(workspaceId: string): Promise<string[]> {
    return (await this.#fixture.drafts(workspaceId)).map(({ id }) => id);
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
    return await this.platform.startService(service, { ...(await this.#environment()), ...environment });
  }

  async #environment(): Promise<Environment> {
    this.folder ||= await mkdtemp(join(tmpdir(), 'action-platform-mail-'));
    // The drafts of a service with the local provider are in this folder, whoever opened it.
    await this.#fixture.open(this.folder);
    return { MAIL_LOCAL_DIR: this.folder, MAIL_SECRET_KEYS: this.#keys };
  }
}

interface Shared {
  workspace: string;
  email: string;
  display_name: string;
  member?: string[];
  everyone?: boolean;
  interactive: boolean;
  scheduled: boolean;
}
