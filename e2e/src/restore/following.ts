import { setTimeout as delay } from 'node:timers/promises';
import type { AuditEntry } from '@action-platform/contracts';
import type { Demo } from '@action-platform/local';
import { Webhook } from 'standardwebhooks';
import { send } from '../http.ts';
import { execute, RETRY_AFTER_MS } from '../stack-process.ts';
import { Receiver } from '../webhooks/receiver.ts';

/** How long audit log and webhooks may take for what they have not told yet, in milliseconds. */
const TOLD_WITHIN_MS = 60_000;
const POLL_MS = 500;

interface Endpoint {
  readonly id: string;
  readonly secret: string;
}

/** What follows the Records of a Workspace: webhooks, the feed and the audit log. */
export class Following {
  readonly #demo: Demo;
  readonly #receiver: Receiver;
  /** An endpoint that is there throughout; its secret is rotated after the copy. */
  readonly #kept: Endpoint;
  /** An endpoint that is deleted after the copy. */
  readonly #deleted: Endpoint;
  #rotated = '';
  #late = '';
  #cursor = '';

  private constructor(demo: Demo, receiver: Receiver, kept: Endpoint, deleted: Endpoint) {
    this.#demo = demo;
    this.#receiver = receiver;
    this.#kept = kept;
    this.#deleted = deleted;
  }

  static async begin(demo: Demo): Promise<Following> {
    const receiver = await Receiver.start();
    const kept = await createEndpoint(demo, receiver.url);
    return new Following(demo, receiver, kept, await createEndpoint(demo, receiver.url, 'grant.created'));
  }

  /** Changes what an operator would have to change again: rotates a secret, deletes an endpoint, and creates another one. */
  async change(): Promise<void> {
    const { secret } = await manage<Endpoint>(this.#demo, 'POST', `/${this.#kept.id}/rotate`);
    this.#rotated = secret;
    await manage(this.#demo, 'DELETE', `/${this.#deleted.id}`);
    this.#late = (await createEndpoint(this.#demo, this.#receiver.url, 'grant.revoked')).id;
  }

  /** Notes the end of the feed. */
  async noteEnd(): Promise<void> {
    const { next_cursor } = await this.#list('latest');
    this.#cursor = next_cursor!;
  }

  /** Whether a reader goes on at the noted end; else the code of its refusal. */
  async feedGoesOn(): Promise<true | string> {
    const { code } = await this.#list(this.#cursor);
    return code ?? true;
  }

  /** Which endpoints are there: the one that was deleted, the one that was created later. */
  async endpoints(): Promise<{ deleted: boolean; late: boolean }> {
    const { endpoints } = await manage<{ endpoints: { id: string }[] }>(this.#demo, 'GET', '');
    const has = (id: string) => endpoints.some((endpoint) => endpoint.id === id);
    return { deleted: has(this.#deleted.id), late: has(this.#late) };
  }

  /** Whether the rotated secret signs the newest webhook; the one before does, in each case. */
  signsWithRotated(): boolean {
    const { body, headers } = this.#receiver.received.at(-1)!;
    new Webhook(this.#kept.secret).verify(body, headers);
    try {
      new Webhook(this.#rotated).verify(body, headers);
      return true;
    } catch {
      return false;
    }
  }

  /** The number of these Records of whose push no webhook tells. It waits for the last ones. */
  async untold(records: ReadonlySet<string>): Promise<number> {
    return await settled(() => {
      const told = new Set(this.#receiver.received.map(({ body }) => JSON.parse(body).subject as string));
      return [...records].filter((id) => !told.has(id)).length;
    });
  }

  /** The numbers of these Records without an entry of their push in the audit log, and with several. It waits for the last ones. */
  async unaudited(records: ReadonlySet<string>): Promise<{ missing: number; repeated: number }> {
    let repeated = 0;
    const missing = await settled(async () => {
      const [entries, fresh] = [new Set<string>(), new Map<string, number>()];
      for (const { code, replayed, targets } of await this.#pushes()) {
        for (const id of code === 'ok' ? targets : []) {
          entries.add(id);
          if (!replayed) fresh.set(id, (fresh.get(id) ?? 0) + 1);
        }
      }
      const ids = [...records];
      repeated = ids.filter((id) => (fresh.get(id) ?? 0) > 1).length;
      return ids.filter((id) => !entries.has(id)).length;
    });
    return { missing, repeated };
  }

  stop(): void {
    this.#receiver.stop();
  }

  async #pushes(): Promise<AuditEntry[]> {
    const { base_url, owner } = this.#demo;
    const path = '/api/v1/audit/entries?operation_id=record_store.push_record';
    const { status, text } = await send(base_url, { method: 'GET', path, token: owner.token });
    if (status !== 200) return [];
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as AuditEntry);
  }

  /** A page of the feed, once JetStream has the stream. */
  async #list(cursor: string): Promise<{ next_cursor?: string; code?: string }> {
    const { base_url, owner } = this.#demo;
    for (;;) {
      const { status, body } = await execute(base_url, owner.token, 'events.list_events', { cursor });
      if (status === 200) return body.result as unknown as { next_cursor: string };
      if (status < 500) return { code: body.error!.code };
      await delay(RETRY_AFTER_MS);
    }
  }
}

/** The first count that is 0, or the one after the longest wait. */
async function settled(count: () => number | Promise<number>): Promise<number> {
  for (const until = performance.now() + TOLD_WITHIN_MS; ; await delay(POLL_MS)) {
    const now = await count();
    if (now === 0 || performance.now() > until) return now;
  }
}

async function createEndpoint(demo: Demo, url: string, type = 'record.pushed'): Promise<Endpoint> {
  const body = { url, types: [type] };
  const created = await manage<{ endpoint: { id: string }; secret: string }>(demo, 'POST', '', body);
  return { id: created.endpoint.id, secret: created.secret };
}

/** Makes a request about endpoints. */
async function manage<Result>(
  { base_url, owner }: Demo,
  method: string,
  path: string,
  body?: object,
): Promise<Result> {
  const request = { method, path: `/api/v1/webhook-endpoints${path}`, token: owner.token };
  const { status, text } = await send(base_url, { ...request, body: body && JSON.stringify(body) });
  if (status >= 300) throw new Error(`${method} ${request.path}: ${status} ${text}`);
  return JSON.parse(text) as Result;
}
