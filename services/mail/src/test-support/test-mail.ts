import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import {
  addMailbox,
  addSender,
  listAuthorizedSenders,
  listSendHistory,
  newId,
  type Principal,
  type SendHistoryEntry,
  sendEmail,
} from '@action-platform/contracts';
import { aMember, anOwner, TestPlatform } from '@action-platform/testing';
import type { MailProvider } from '../providers/provider.ts';
import { mail, mailWith } from '../service.ts';

type Environment = Readonly<Record<string, string>>;

/** An e-mail that every rule allows. */
const hello = { to: ['ada@example.com'], subject: 'Hello', body: 'How are you?\n' };

/** The mail service under test, with a folder of drafts of its own. */
export class TestMail {
  readonly platform = new TestPlatform();
  /** The value of MAIL_LOCAL_DIR. */
  folder = '';

  /** Starts the service with the local provider; by default the folder of drafts is served to callers. */
  async start(
    environment: Environment = { MAIL_LOCAL_DRAFT_URL_BASE: 'https://drafts.example.com' },
  ): Promise<void> {
    await this.#startReplica(mail, environment);
  }

  /** Starts two replicas with the provider that `open` returns for the folder of drafts. */
  async startTwoWith(open: (folder: string) => Promise<MailProvider>): Promise<void> {
    const service = mailWith(async ({ MAIL_LOCAL_DIR }) => [await open(MAIL_LOCAL_DIR)]);
    await this.#startReplica(service);
    await this.#startReplica(service);
  }

  async stop(): Promise<void> {
    await this.platform.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** A Member with a mailbox of their own, in a Workspace of its own unless one is named. */
  async member(
    workspaceId?: string,
    mailbox: { email?: string; provider?: string } = {},
  ): Promise<Principal> {
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

  async #connected(principal: Principal, mailbox: { email?: string; provider?: string }): Promise<Principal> {
    const { connectionId } = await this.platform.callAs('grants', addMailbox, {
      workspaceId: principal.workspaceId,
      userId: principal.userId,
      email: mailbox.email ?? `${principal.userId}@example.com`,
      provider: mailbox.provider ?? 'local',
    });
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

  send(principal: Principal, input: object = {}, timeoutMs?: number) {
    return this.platform.call(sendEmail, principal, { ...hello, ...input }, timeoutMs);
  }

  async history(principal: Principal): Promise<SendHistoryEntry[]> {
    return (await this.platform.call(listSendHistory, principal, {})).result.entries;
  }

  /** All drafts of a Workspace, as the local provider keeps them. */
  async drafts(workspaceId: string): Promise<Buffer[]> {
    const paths = await this.draftPaths(workspaceId);
    return await Promise.all(paths.map((path) => readFile(path)));
  }

  /** The draft ids of the local provider in a Workspace. */
  async draftIds(workspaceId: string): Promise<string[]> {
    return (await this.draftPaths(workspaceId)).map((path) => `drf_${basename(path, '.eml')}`);
  }

  async draftPaths(workspaceId: string): Promise<string[]> {
    const entries = await readdir(join(this.folder, workspaceId), {
      recursive: true,
      withFileTypes: true,
    }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  }

  /** The id of a new Workspace. */
  newWorkspace(): string {
    return newId('workspace');
  }

  async #startReplica(service: typeof mail, environment: Environment = {}): Promise<void> {
    this.folder ||= await mkdtemp(join(tmpdir(), 'action-platform-mail-'));
    await this.platform.startService(service, { MAIL_LOCAL_DIR: this.folder, ...environment });
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
