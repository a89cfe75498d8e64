import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Role } from '@action-platform/contracts/authority';
import { addSender } from '@action-platform/contracts/calls';
import { type ErrorCode, errorCatalogue } from '@action-platform/contracts/errors';
import { type Operation, operations } from '@action-platform/contracts/operations';
import { idempotencyKeyField } from '@action-platform/contracts/schema';
import { Caller, type CreatedGrant, createGrant, execute, type Json } from '@action-platform/testing/http';
import { type DocumentedRoute, documentedRoutes, undocumented } from '../contract/openapi.ts';
import type { Person } from '../harness/workload/fixture.ts';
import type { Operator } from '../operator.ts';
import type { SharedStack } from '../shared-stack.ts';

/** How a call answered. */
export interface CallAnswer {
  readonly status: number;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly result: Record<string, Record<string, unknown>>;
}

export const OUTPUT_DEFINITION = 'weekly-report';

/** The input of a call that pushes one of many Records. */
export const withItem = (payload: unknown, idempotency_key: string) => ({
  items: [{ payload, idempotency_key }],
});

/** The refusal of an item, in the result of a call. */
export const refusalOfItem = (result: Json | undefined): Json | undefined => result?.outcomes?.[0]?.error;

/** A Workspace of the shared stack for all scenarios. */
export class Fixture {
  readonly stack: SharedStack;
  workspace = '';
  owner!: Person;
  /** Without a connected app, and not an Owner. */
  member!: Person;
  /** A Collection in which only Owners may write. */
  collection = '';
  /** A shared mailbox for scheduled calls only. */
  scheduledSender = '';
  /** Another one for all calls, which routine grants list. */
  grantedSender = '';
  #count = 0;
  #calls = 0;
  #routes: readonly DocumentedRoute[] = [];
  #shortLived: Map<string, Promise<CreatedGrant & { expiresAt: number }>> | undefined;

  constructor(stack: SharedStack) {
    this.stack = stack;
  }

  get operator(): Operator {
    return this.stack.operator;
  }

  async start(): Promise<void> {
    this.#routes = await documentedRoutes(this.gateway());
    this.workspace = await this.operator.workspace();
    this.owner = await this.person('owner');
    this.member = await this.person('member', { mail: false });
    const created = await this.call(this.owner.token, 'record_store.create_collection', { name: 'things' });
    this.collection = String(created.result.collection?.id);
    this.scheduledSender = await this.#addSender('reports@example.com');
    this.grantedSender = await this.#addSender('granted@example.com', true);
  }

  /** The key of a company file, once a scan has listed it. */
  async #file(): Promise<string> {
    const file = join(this.stack.directory, 'files', this.workspace, 'company', 'welcome.md');
    mkdirSync(dirname(file), { recursive: true });
    if (!existsSync(file)) writeFileSync(file, 'Welcome');
    for (;;) {
      const { result } = await this.call(this.owner.token, 'knowledge.list_visible_files', {
        scope: 'company',
      });
      const [group] = result.groups as unknown as { files: { key: string }[] }[];
      if (group!.files.length > 0) return group!.files[0]!.key;
      await setTimeout(100);
    }
  }

  /** The id of a new shared mailbox for scheduled calls. */
  async #addSender(email: string, interactive = false): Promise<string> {
    const { workspace } = this;
    const mailbox = {
      workspace,
      email,
      display_name: 'Reports',
      everyone: true,
      interactive,
      scheduled: true,
    };
    return (await this.operator.call(addSender, mailbox)).sender.senderId;
  }

  /** A new unique text. */
  unique(what: string): string {
    return `${what}-${++this.#count}`;
  }

  /** A new Member, by default with a connected mailbox. */
  async person(role: Role, { workspace = this.workspace, mail = true } = {}): Promise<Person> {
    const user = this.unique('user');
    const token = await this.operator.member(workspace, user, role);
    if (mail) await this.operator.connectMail(workspace, user);
    return { user, token };
  }

  /** Another gateway than that of the call before: what one acknowledged holds at the very next call of another. */
  gateway(): string {
    const { gateways } = this.stack;
    return gateways[this.#calls++ % gateways.length]!;
  }

  /** Calls an operation; it sends a string body unchanged. @throws Error when the document does not describe the answer */
  async call(
    token: string | undefined,
    operationId: string,
    body: object | string = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<CallAnswer> {
    const answer = await execute(this.gateway(), token, operationId, body, headers);
    const route = this.#routes.find(({ path }) => path === `/api/v1/operations/${operationId}`);
    const found = route === undefined ? [] : undocumented(route, answer);
    if (found.length > 0) throw new Error(`The document of ${operationId} has not ${found.join(', ')}`);
    const { status, json } = answer;
    const item = refusalOfItem(json.result);
    const { code, message } = json.error ?? item ?? {};
    const statusOfItem = item && errorCatalogue[code as ErrorCode].status;
    return { status: statusOfItem ?? status, code, message, result: json.result };
  }

  /** A Record in the Collection. @param key of its push */
  async record(state: 'active' | 'archived' | 'deleted' = 'active', key: object = {}) {
    const collection_id = this.collection;
    const run = (operation: string, input: object) =>
      this.call(this.owner.token, `record_store.${operation}`, { collection_id, ...input });
    const pushed = await run('push_record', { payload: {}, ...key });
    const reference = { record_id: String(pushed.result.record?.id) };
    if (state !== 'active') await run('archive_record', reference);
    if (state === 'deleted') await run('delete_record', reference);
    return { collection_id, ...reference };
  }

  /** An input with which this operation succeeds for the owner. */
  async input(operation: Operation): Promise<Record<string, unknown>> {
    const inputs: Readonly<Record<string, () => object | Promise<object>>> = {
      'knowledge.get_file': async () => ({ key: await this.#file() }),
      'procedures.get_draft': async () => {
        const draft = { slug: this.unique('slug'), title: 'T', description: '', markdown: 'M' };
        await this.call(this.owner.token, 'procedures.create_draft', draft);
        return { slug: draft.slug };
      },
      'record_store.patch_record': async () => ({ ...(await this.record()), patch: { changed: true } }),
      'record_store.push_records': () => ({
        collection_id: this.collection,
        ...withItem({}, this.unique('key')),
      }),
      'record_store.get_records': async () => {
        const { collection_id, record_id } = await this.record();
        return { collection_id, record_ids: [record_id] };
      },
      'record_store.delete_record': () => this.record('archived'),
    };
    if (operation.id in inputs) return { ...(await inputs[operation.id]!()) };
    const { example = {} } = operation;
    const unique = Object.entries({ slug: 'slug', name: 'name', idempotency_key: 'key' })
      .filter(([field]) => field in example)
      .map(([field, what]) => [field, this.unique(what)]);
    return {
      ...{ ...example, ...Object.fromEntries(unique) },
      ...('collection_id' in example && { collection_id: this.collection }),
      ...('record_id' in example && (await this.record())),
    };
  }

  /** The same with a key where the operation takes one, so that it is the input of one call, however often it is made. */
  async keyedInput(operation: Operation): Promise<Record<string, unknown>> {
    const key = idempotencyKeyField(operation.input) && { idempotency_key: this.unique('key') };
    return { ...(await this.input(operation)), ...key };
  }

  /** The Owner, just signed in at the console. */
  async atConsole(): Promise<Caller> {
    return new Caller(this.gateway(), await this.operator.freshToken(this.workspace, this.owner.user));
  }

  async operationGrant(token: string, operationScope: string): Promise<CreatedGrant> {
    return await createGrant(this.gateway(), token, { operationScope });
  }

  /** A grant for an operation that has expired. */
  async expiredGrant(operationId: string): Promise<CreatedGrant> {
    // The first call creates all of them, which expire together, so the tests wait once.
    this.#shortLived ??= new Map([...operations.keys()].map((id) => [id, this.#shortLivedGrant(id)]));
    const { expiresAt, ...grant } = await this.#shortLived.get(operationId)!;
    await setTimeout(Math.max(0, expiresAt - Date.now()));
    return grant;
  }

  async #shortLivedGrant(operationScope: string): Promise<CreatedGrant & { expiresAt: number }> {
    const [gateway, { token }] = [this.stack.gateways[0]!, this.owner];
    // On a busy machine the expiry may pass before the grant exists.
    for (let lifetimeMs = 1000; ; lifetimeMs *= 2) {
      const expiresAt = Date.now() + lifetimeMs;
      const grant = { operationScope, expiresAt: new Date(expiresAt).toISOString() };
      const created = await createGrant(gateway, token, grant).catch(() => undefined);
      if (created !== undefined) return { ...created, expiresAt };
    }
  }

  /** A routine grant for an operation and the list of senders, with data that this operation may reach. */
  async routineGrant(
    token: string,
    operation: Operation,
    { invocations = 1000, data = {} }: { invocations?: number; data?: object } = {},
  ): Promise<CreatedGrant> {
    return await createGrant(this.gateway(), token, {
      name: 'routine',
      operations: [operation.id, 'mail.list_authorized_senders'],
      data: {
        collectionIds: [this.collection],
        senderIds: [this.grantedSender],
        fileScopes: ['personal'],
        ...data,
      },
      outputDefinition: OUTPUT_DEFINITION,
      maximumCadence: { invocations, periodSeconds: 3600 },
    });
  }

  async revoke({ id }: CreatedGrant, token: string): Promise<void> {
    await new Caller(this.gateway(), token).request('DELETE', `/api/v1/operation-grants/${id}`);
  }
}
