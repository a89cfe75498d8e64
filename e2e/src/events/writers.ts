import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  addMember,
  connectApp,
  disconnectApp,
  grantRoutes,
  removeMember,
  setMemberRole,
} from '@action-platform/contracts';
import type { Demo } from '@action-platform/local';
import fc from 'fast-check';
import { send } from '../http.ts';
import type { Operator } from '../operator.ts';
import { RETRY_AFTER_MS } from '../stack-process.ts';

/** One request of a write; a client repeats it with the same key and another request id until its outcome is known. */
export interface Attempt {
  readonly requestId: string;
  readonly operation: string;
  /** 0 without an answer. */
  readonly status: number;
  readonly isReplay: boolean;
}

const CLIENTS = 16;
/** Of so many Records that were pushed last the clients choose one: they meet each other. */
const RECORDS = 40;
/** No answer, and answers that leave the outcome unknown or ask to try again. */
const REPEATED: readonly number[] = [0, 502, 503];

/** How often clients take each step, relative to the others. */
const frequencies = {
  ...{ push: 8, replace: 8, patch: 8, archive: 4, restore: 3, delete: 2 },
  ...{ collection: 1, grant: 1, draft: 1, procedure: 1, member: 1 },
};
type Kind = keyof typeof frequencies;
const steps = (pushes = frequencies.push) =>
  fc.record({
    kind: fc.oneof(
      ...Object.entries({ ...frequencies, push: pushes }).map(([kind, weight]) => ({
        arbitrary: fc.constant(kind as Kind),
        weight,
      })),
    ),
    record: fc.nat(RECORDS - 1),
  });
const STEPS = 10_000;

interface Writing {
  readonly demo: Demo;
  readonly operator: Operator;
  /** How many acknowledged writes end the load; by default `stop` does. */
  readonly writes?: number;
  readonly seed: number;
  /** How often clients push, relative to the other steps. */
  readonly pushes?: number;
}

/** Clients that make every kind of write at two gateways, and remember each request. */
export class Writers {
  readonly attempts: Attempt[] = [];
  acknowledged = 0;
  #isStopping = false;
  readonly #writing: Writing;
  readonly #collections: string[] = [];
  #records: { readonly collection_id: string; readonly record_id: string }[] = [];

  constructor(writing: Writing) {
    this.#writing = writing;
  }

  /** Resolves when there are enough acknowledged writes, and the outcome of each is known. */
  async run(): Promise<void> {
    await this.#makeCollection('first');
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => this.#client(client)));
  }

  /** Lets every client take its last step; `run` resolves after it. */
  stop(): void {
    this.#isStopping = true;
  }

  async #client(client: number): Promise<void> {
    const { writes = Number.POSITIVE_INFINITY, seed, pushes } = this.#writing;
    const taken = fc.sample(steps(pushes), { seed: seed + client, numRuns: STEPS });
    for (let n = 0; this.acknowledged < writes && !this.#isStopping; n++) {
      const { kind, record } = taken[n % STEPS]!;
      await this.#take(kind, record, `${client}-${n}`);
    }
  }

  async #take(kind: Kind, chosen: number, key: string): Promise<void> {
    const idempotency_key = key;
    const record = this.#records.at(-1 - (chosen % Math.max(1, this.#records.length)));
    const change = (name: string, input: object) =>
      record && this.#operate(`record_store.${name}_record`, { ...record, ...input });
    switch (kind) {
      case 'push': {
        const collection_id = this.#collections.at(-1)!;
        const input = { collection_id, payload: { key }, idempotency_key };
        const result = await this.#operate<{ record: { id: string } }>('record_store.push_record', input);
        if (result !== undefined) this.#records.push({ collection_id, record_id: result.record.id });
        return;
      }
      case 'replace':
        await change(kind, { payload: { key, again: true }, idempotency_key });
        return;
      case 'patch':
        await change(kind, { patch: { key }, idempotency_key });
        return;
      case 'archive':
      case 'restore':
        await change(kind, {});
        return;
      case 'delete':
        if ((await change(kind, {})) !== undefined)
          this.#records = this.#records.filter(({ record_id }) => record_id !== record?.record_id);
        return;
      case 'collection':
        await this.#makeCollection(key);
        return;
      case 'draft':
        await this.#operate('mail.send_email', {
          to: ['ada@example.com'],
          subject: key,
          body: key,
          idempotency_key,
        });
        return;
      case 'procedure':
        await this.#operate('procedures.create_draft', {
          slug: key,
          title: key,
          description: '',
          markdown: key,
        });
        return;
      case 'grant':
        await this.#grant(key);
        return;
      case 'member':
        await this.#member(key);
        return;
    }
  }

  async #makeCollection(name: string): Promise<void> {
    const result = await this.#operate<{ collection: { id: string } }>('record_store.create_collection', {
      name,
    });
    if (result !== undefined) this.#collections.push(result.collection.id);
  }

  /** Creates a grant and revokes it. */
  async #grant(idempotencyKey: string): Promise<void> {
    const { create, revoke } = grantRoutes.operation;
    const operationScope = 'record_store.list_collections';
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const input = { operationScope, expiresAt, idempotencyKey };
    const created = await this.#settle<{ grant: { id: string } }>('POST', create.path, input);
    if (created !== undefined) await this.#settle('DELETE', revoke.path.replace('{id}', created.grant.id));
  }

  /** The life of a Member; a command that fails is not repeated: the documents tell whether it changed something. */
  async #member(user: string): Promise<void> {
    const { operator, demo } = this.#writing;
    const member = { workspace: demo.workspace_id, user };
    const app = { ...member, app: 'mail_suite' } as const;
    const commands = [
      () => operator.call(addMember, member),
      () => operator.call(connectApp, app),
      () => operator.call(setMemberRole, { ...member, role: 'owner' }),
      () => operator.call(disconnectApp, app),
      () => operator.call(removeMember, member),
    ];
    for (const command of commands)
      await command().then(
        () => this.acknowledged++,
        () => delay(RETRY_AFTER_MS),
      );
  }

  async #operate<Result>(operation: string, input: object): Promise<Result | undefined> {
    return (await this.#settle<{ result: Result }>('POST', `/api/v1/operations/${operation}`, input))?.result;
  }

  /** Repeats a request until its outcome is known; undefined when it is refused. */
  async #settle<Answer>(method: string, path: string, input?: object): Promise<Answer | undefined> {
    const { gateways, owner } = this.#writing.demo;
    for (let tries = 0; ; tries++) {
      const requestId = randomUUID();
      const answer = await send(gateways[(this.attempts.length + tries) % gateways.length]!, {
        method,
        path,
        token: owner.token,
        body: input && JSON.stringify(input),
        headers: { 'x-request-id': requestId },
      }).catch(() => ({ status: 0, headers: {} as Record<string, string>, text: '' }));
      const { status, headers, text } = answer;
      const isReplay = headers['idempotent-replayed'] !== undefined;
      this.attempts.push({ requestId, operation: path.split('/').at(-1)!, status, isReplay });
      if (status === 200 || status === 201) {
        this.acknowledged++;
        return JSON.parse(text) as Answer;
      }
      if (!REPEATED.includes(status)) return undefined;
      await delay(RETRY_AFTER_MS);
    }
  }
}
