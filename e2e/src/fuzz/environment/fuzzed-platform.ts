import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '@action-platform/contracts';
import { type ApiDocument, type DocumentedRoute, routesOf, send } from '../../contract/openapi.ts';
import { Operator } from '../../operator.ts';
import { execute } from '../../stack-process.ts';
import { requireThat } from '../target.ts';
import { LogWatch } from './log-watch.ts';
import type { Placeholders } from './placeholders.ts';

/** More than any process of a platform of this size needs, in bytes. */
const MEMORY_BYTES = 1.5 * 2 ** 30;
/** A payload with a history that takes a long answer. */
const LONG = 'x'.repeat(200_000);

/** A whole platform with a Workspace to fuzz, and checks of its processes and logs. */
export class FuzzedPlatform {
  readonly directory: string;
  readonly gateway: string;
  readonly placeholders: Placeholders;
  readonly routes: readonly DocumentedRoute[];
  readonly #logs: LogWatch;
  readonly #pids: readonly number[];

  private constructor(
    directory: string,
    gateway: string,
    placeholders: Placeholders,
    routes: readonly DocumentedRoute[],
  ) {
    this.directory = directory;
    this.gateway = gateway;
    this.placeholders = placeholders;
    this.routes = routes;
    this.#logs = new LogWatch(join(directory, 'logs'), placeholders.mark!);
    this.#pids = this.#logs.pids();
  }

  /** Makes a Workspace in the running platform of a directory. */
  static async in(directory: string, gateway: string): Promise<FuzzedPlatform> {
    const operator = await Operator.of({ directory });
    const placeholders = await prepare(operator, gateway).finally(() => operator.close());
    const document = (await (await fetch(`${gateway}/api/v1/openapi.json`)).json()) as ApiDocument;
    return new FuzzedPlatform(directory, gateway, placeholders, routesOf(document));
  }

  /** @throws Finding when a process has ended, has grown beyond the limit, or has logged forbidden text. */
  async check(): Promise<void> {
    this.#logs.check();
    for (const pid of this.#pids) {
      const bytes = residentBytes(pid);
      requireThat(bytes !== undefined, `process ${pid} has ended`);
      requireThat(bytes < MEMORY_BYTES, `process ${pid} holds ${Math.round(bytes / 2 ** 20)} MiB`);
    }
    const { status } = await fetch(`${this.gateway}/livez`);
    requireThat(status === 200, `/livez answers ${status}`);
  }

  close(): void {
    this.#logs.close();
  }
}

/** The resident memory of a process (Linux, proc(5)); 0 on other systems, undefined when the process has ended. */
function residentBytes(pid: number): number | undefined {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return 0;
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return undefined;
  }
}

/** Makes a Workspace with data. @returns the values of the placeholders */
async function prepare(operator: Operator, gateway: string): Promise<Placeholders> {
  const workspace = await operator.workspace('Fuzzed');
  const owner = await operator.member(workspace, 'olga', 'owner');
  const member = await operator.member(workspace, 'mika', 'member');
  await operator.member(workspace, 'paul', 'member');
  for (const user of ['olga', 'mika']) await operator.connectMail(workspace, user);
  const make = async (operation: string, input: object) => {
    const { status, body } = await execute(gateway, owner, operation, input);
    if (status !== 200) throw new Error(`${operation} answers ${status}: ${JSON.stringify(body)}`);
    return body.result as unknown as Record<string, { id: string } & { sender_id: string }[]>;
  };
  const { collection } = await make('record_store.create_collection', {
    name: 'fuzzed',
    member_writes_enabled: true,
  });
  const collection_id = collection!.id;
  const { record } = await make('record_store.push_record', { collection_id, payload: { LONG } });
  const record_id = record!.id;
  for (const a of [1, 2, 3])
    await make('record_store.patch_record', { collection_id, record_id, patch: { a } });
  const { senders } = await make('mail.list_authorized_senders', {});
  const sender = senders![0]!.sender_id;
  const grant = async (kind: string, request: object) => {
    const body = JSON.stringify({
      ...request,
      name: 'fuzzed',
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    });
    const { text } = await send(gateway, {
      method: 'POST',
      path: `/api/v1/${kind}-grants`,
      token: owner,
      body,
    });
    return JSON.parse(text) as { secret: string; grant: { id: string } };
  };
  const operationGrant = await grant('operation', { operationScope: 'record_store.push_record' });
  const routineGrant = await grant('routine', {
    operations: [...operations.keys()],
    data: { collectionIds: [collection_id], senderIds: [sender], fileScopes: ['company'] },
    outputDefinition: 'fuzzed',
    maximumCadence: { invocations: 1_000_000, periodSeconds: 1 },
  });
  return {
    // The `~` cannot occur in a request id, which callers choose and processes log.
    mark: `mark~${randomUUID()}`,
    workspace,
    owner,
    member,
    passerBy: 'paul',
    collection: collection_id,
    record: record_id,
    sender,
    operationGrant: operationGrant.secret,
    operationGrantId: operationGrant.grant.id,
    routineGrant: routineGrant.secret,
    routineGrantId: routineGrant.grant.id,
  };
}
