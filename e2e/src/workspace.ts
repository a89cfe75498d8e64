import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { addFile, addSender } from '@action-platform/contracts/calls';
import { operations } from '@action-platform/contracts/operations';
import { webhookRoutes } from '@action-platform/contracts/resources';
import { type Answer, createGrant, send } from '@action-platform/testing/http';
import { expect } from '@jest/globals';
import type { SharedStack } from './shared-stack.ts';

/** The users of every such Workspace: the same ids, so that only the Workspace differs. */
export const OWNER = 'olga';
export const MEMBER = 'mika';
export const COLLEAGUE = 'nils';

/** A name and key that every Workspace uses for a different object. */
const SHARED = 'shared';

/** The ids and names that a call can name of a Workspace. */
export interface Ids {
  readonly collection: string;
  readonly record: string;
  readonly archived: string;
  readonly sender: string;
  readonly file: string;
  readonly connection: string;
  readonly endpoint: string;
  readonly operationGrant: string;
  readonly routineGrant: string;
  readonly collectionsCursor: string;
  readonly recordsCursor: string;
  readonly historyCursor: string;
  readonly eventsCursor: string;
  readonly proceduresCursor: string;
  readonly operationGrantsCursor: string;
  readonly routineGrantsCursor: string;
  readonly key: string;
  readonly slug: string;
  readonly name: string;
  readonly outputDefinition: string;
  readonly invocation: string;
}

/** Ids of no object, each one character away from an existing one. */
export function unknownIdsLike(ids: Ids): Ids {
  const beside = (id: string) => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, beside(id)])) as unknown as Ids;
}

/** A Workspace with objects of every kind. All its texts contain its mark; its ids do not. */
export class Workspace {
  readonly #stack: SharedStack;
  readonly id: string;
  readonly mark: string;
  /** Session tokens by user, and the secrets of grants by operation id (`routine` for the routine grant). */
  readonly tokens: Record<string, string> = {};
  ids!: Ids;
  /** A second object of each kind that allows two. */
  twin!: Ids;

  private constructor(stack: SharedStack, id: string, mark: string) {
    this.#stack = stack;
    this.id = id;
    this.mark = mark;
  }

  /** A new Workspace with members, mail, files, a procedure, Collections, Records and grants. */
  static async create(stack: SharedStack, mark: string): Promise<Workspace> {
    const workspace = new Workspace(stack, await stack.operator.workspace(SHARED), mark);
    const connection = await workspace.#addMembers();
    await workspace.#addFiles();
    await workspace.#fill(connection, await workspace.#listed());
    return workspace;
  }

  /** Executes an operation as a user of this Workspace. */
  async execute(caller: string, operation: string, input: object, invocation?: string): Promise<Answer> {
    const headers = invocation === undefined ? {} : { 'x-routine-invocation-id': invocation };
    return await this.request(caller, 'POST', `/api/v1/operations/${operation}`, input, headers);
  }

  /** Sends a request as a user of this Workspace. */
  async request(
    caller: string,
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const token = this.tokens[caller]!;
    return await send(this.#stack.gateways[0]!, { method, path, token, body, headers });
  }

  /** The texts of all answers that show this Workspace to its own users. */
  async everything(): Promise<string[]> {
    const found: string[] = [];
    const look = async (caller: string, operation: string, input: object = {}) => {
      const { status, text, json } = await this.execute(caller, operation, input);
      // The id of the request is new each time.
      found.push(`${caller} ${operation} ${status} ${text.replace(/"requestId":"\w+"/, '')}`);
      return json.result;
    };
    for (const caller of [OWNER, MEMBER, COLLEAGUE]) {
      const { groups } = await look(caller, 'knowledge.list_visible_files');
      for (const { key } of groups.flatMap(({ files }: { files: object[] }) => files))
        await look(caller, 'knowledge.get_file', { key });
      await look(caller, 'mail.list_authorized_senders');
      await look(caller, 'mail.list_send_history');
      const grants = ['operation', 'routine'].map((kind) => `/api/v1/${kind}-grants?limit=200`);
      for (const path of grants) found.push((await this.request(caller, 'GET', path)).text);
    }
    for (const slug of [SHARED, this.ids.slug])
      await look(OWNER, 'procedures.create_draft', this.#procedure(slug));
    const { collections } = await look(OWNER, 'record_store.list_collections', { limit: 200 });
    for (const { id: collection_id } of collections) {
      const all = { collection_id, state: 'all', limit: 200 };
      const { records } = await look(OWNER, 'record_store.list_records', all);
      for (const { id: record_id } of records) {
        await look(OWNER, 'record_store.get_record_history', { collection_id, record_id });
      }
    }
    return found;
  }

  /** Adds the members, each with a connected mail app; returns the connection id of the Owner. */
  async #addMembers(): Promise<string> {
    const { operator } = this.#stack;
    const roles = { [OWNER]: 'owner', [MEMBER]: 'member', [COLLEAGUE]: 'member' } as const;
    const connections: string[] = [];
    for (const [user, role] of Object.entries(roles)) {
      this.tokens[user] = await operator.member(this.id, user, role);
      connections.push(await operator.connectMail(this.id, user, `${user}@${this.mark}.example.com`));
    }
    return connections[0]!;
  }

  /** Waits until the next scan of the folder has listed the files. Resolves with the key of a personal one of the Owner. */
  async #listed(): Promise<string> {
    const own = async (user: string): Promise<string> => {
      const { text, json } = await this.execute(user, 'knowledge.list_visible_files', { scope: 'all' });
      if (text.split(`"path":"${this.mark}.md"`).length === 3)
        return json.result.groups[1].files.find(({ path }: { path: string }) => path === `${this.mark}.md`)
          .key;
      await delay(100);
      return await own(user);
    };
    await own(MEMBER);
    return await own(OWNER);
  }

  async #addFiles(): Promise<void> {
    const paths = ['company', `personal/${OWNER}`, `personal/${MEMBER}`];
    for (const path of paths) {
      const file = join(this.#stack.directory, 'files', this.id, path, `${this.mark}.md`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, this.mark);
    }
    const add = (path: string, user?: string) =>
      this.#stack.operator.call(addFile, { workspace: this.id, path, user });
    await add(`added/${this.mark}.md`);
    for (const user of [OWNER, MEMBER]) await add(`added/${this.mark} of ${user}.md`, user);
  }

  async #addSender(): Promise<string> {
    const { sender } = await this.#stack.operator.call(addSender, {
      ...{ workspace: this.id, email: 'team@example.com', display_name: this.mark },
      ...{ everyone: true, interactive: true, scheduled: true },
    });
    return sender.senderId;
  }

  #procedure(slug: string) {
    return { slug, title: this.mark, description: this.mark, markdown: this.mark };
  }

  /** The result of a call of the Owner that must succeed and must not be a replay. */
  async #make(operation: string, input: object, caller = OWNER) {
    const answer = await this.execute(caller, operation, input);
    expect({ operation, answer }).toMatchObject({ answer: { status: 200 } });
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
    return answer.json.result;
  }

  async #fill(connection: string, file: string): Promise<void> {
    const own = `of-${this.mark}`.replace('-only', '');
    const names = { key: `key-${own}`, slug: `slug-${own}`, name: `name-${own}`, invocation: `run-${own}` };
    const sender = await this.#addSender();
    const collections = [];
    for (const name of [SHARED, names.name]) {
      const input = { name, description: this.mark, member_writes_enabled: true };
      collections.push((await this.#make('record_store.create_collection', input)).collection.id);
      await this.#make('procedures.create_draft', this.#procedure(name === SHARED ? SHARED : names.slug));
    }
    const [collection] = collections;
    const payload = { text: this.mark };
    const records = [];
    for (const idempotency_key of [SHARED, names.key, 'third', 'fourth']) {
      const push = { collection_id: collection, payload, idempotency_key };
      const { record } = await this.#make('record_store.push_record', push);
      const change = { collection_id: collection, record_id: record.id, idempotency_key };
      await this.#make('record_store.patch_record', { ...change, patch: { more: this.mark } });
      records.push(record.id as string);
    }
    for (const record_id of records.slice(2)) {
      await this.#make('record_store.archive_record', { collection_id: collection, record_id });
    }
    for (const caller of [OWNER, MEMBER]) {
      for (const idempotency_key of [SHARED, names.key]) {
        const email = { to: ['ada@example.com'], subject: this.mark, body: this.mark, idempotency_key };
        await this.#make('mail.send_email', email, caller);
      }
    }
    const grants = await this.#createGrants(`${collection}`, sender);
    // No Member is removed here, so no delivery is tried again and again in the background.
    const endpoint = {
      url: 'https://example.com/webhook',
      description: this.mark,
      types: ['member.removed'],
    };
    const created = await this.request(OWNER, 'POST', webhookRoutes.create.path, endpoint);
    const first = { collection_id: collection, limit: 1 };
    const cursor = async (operation: string, input: object) =>
      (await this.#make(operation, input)).next_cursor as string;
    this.ids = {
      ...names,
      ...grants,
      collection: `${collection}`,
      record: records[0]!,
      archived: records[2]!,
      sender,
      file,
      connection,
      endpoint: created.json.endpoint.id,
      collectionsCursor: await cursor('record_store.list_collections', { limit: 1 }),
      recordsCursor: await cursor('record_store.list_records', first),
      historyCursor: await cursor('record_store.get_record_history', { ...first, record_id: records[0] }),
      eventsCursor: await cursor('events.list_events', { cursor: 'latest' }),
      proceduresCursor: await cursor('procedures.list_drafts', { limit: 1 }),
      outputDefinition: this.mark,
    };
    this.twin = { ...this.ids, record: records[1]!, archived: records[3]! };
  }

  async #createGrants(collection: string, sender: string) {
    const created: Record<string, string> = {};
    const create = async (kind: string, caller: string, grant: object) => {
      const request = { name: this.mark, ...grant };
      const { id, secret } = await createGrant(this.#stack.gateways[0]!, this.tokens[OWNER]!, request);
      this.tokens[caller] = secret;
      created[kind] = id;
    };
    for (const operationScope of operations.keys()) {
      await create('operation', operationScope, { operationScope });
    }
    const routine = {
      operations: [...operations.keys()],
      data: { collectionIds: [collection], senderIds: [sender], fileScopes: ['company', 'personal'] },
      outputDefinition: this.mark,
    };
    const maximumCadence = { invocations: 1000, periodSeconds: 1 };
    // Two, so that their listing has a next page.
    for (const _ of [1, 2]) await create('routine', 'routine', { ...routine, maximumCadence });
    const cursor = async (kind: string): Promise<string> =>
      (await this.request(OWNER, 'GET', `/api/v1/${kind}-grants?limit=1`)).json.nextCursor;
    return {
      operationGrant: created.operation!,
      routineGrant: created.routine!,
      operationGrantsCursor: await cursor('operation'),
      routineGrantsCursor: await cursor('routine'),
    };
  }
}
