import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Operation } from '@action-platform/contracts/operations';
import type { BusUser } from '@action-platform/contracts/services';
import { freePort } from '@action-platform/local-servers';
import { type ExportedSpan, makeTestFolder, SpanReceiver, type TestProcess } from '@action-platform/testing';
import { GatewayHarness } from '../harness.ts';

/** The services that the calls of these tests reach. */
const SERVICES = ['grants', 'record-store', 'mail'] as const;

/** The fields of answers that these tests read. */
interface AnswerBody {
  readonly result: {
    readonly record: { readonly id: string };
    readonly collection: { readonly id: string };
    readonly status: string;
  };
  readonly secret: string;
  readonly grant: { readonly id: string };
}

/** Every process of a platform, and a receiver of their spans. */
export class TracedPlatform {
  readonly harness = new GatewayHarness();
  readonly processes: { readonly name: string; readonly process: TestProcess }[] = [];
  readonly gateways: string[] = [];
  /** The metrics endpoint of each process. */
  readonly metrics: { readonly name: string; readonly url: string }[] = [];
  receiver!: SpanReceiver;
  readonly #drafts = makeTestFolder();

  /**
   * @param environment further variables of every process.
   * @param replicas how many of each process.
   */
  async start(environment: Readonly<Record<string, string>>, replicas = 1): Promise<void> {
    this.receiver = await SpanReceiver.start();
    await this.harness.issuer.start();
    const common = { ...this.receiver.environment, MAIL_LOCAL_DIR: this.#drafts, ...environment };
    const spawn = async (name: BusUser, own: Readonly<Record<string, string>> = {}) => {
      const METRICS_PORT = String(await freePort());
      const process = await this.harness.platform.spawn(name, { METRICS_PORT, ...common, ...own });
      this.processes.push({ name, process });
      this.metrics.push({ name, url: `http://127.0.0.1:${METRICS_PORT}/metrics` });
    };
    const spawnReplica = async () => {
      const PORT = String(await freePort());
      this.gateways.push(`http://127.0.0.1:${PORT}`);
      const gateway = spawn('gateway', { ...this.harness.issuer.environment, PORT });
      await Promise.all([gateway, ...SERVICES.map((name) => spawn(name))]);
    };
    await Promise.all(Array.from({ length: replicas }, spawnReplica));
  }

  /** Stops all processes, which first export their buffered spans. */
  async stopProcesses(): Promise<void> {
    for (const { process } of this.processes) process.signal('SIGTERM');
    await Promise.all(this.processes.map(({ process }) => process.exited));
  }

  async stop(): Promise<void> {
    await this.harness.stop();
    this.receiver.stop();
    rmSync(this.#drafts, { recursive: true });
  }

  /** Sends a request to the next gateway in turn. Returns the status, the body and the trace id. */
  async request(path: string, token: string, body: object, headers: Readonly<Record<string, string>> = {}) {
    const gateway = this.gateways[this.#next++ % this.gateways.length]!;
    const response = await fetch(`${gateway}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as AnswerBody;
    const requestId = response.headers.get('x-request-id')!;
    return { status: response.status, body: answer, requestId, traceId: requestId.replace('req_', '') };
  }

  /** Runs `run` while no mailbox is writable: the folder of drafts is a file. */
  async withoutMailboxes<Result>(run: () => Promise<Result>): Promise<Result> {
    rmSync(this.#drafts, { recursive: true });
    writeFileSync(this.#drafts, '');
    try {
      return await run();
    } finally {
      rmSync(this.#drafts);
      mkdirSync(this.#drafts);
    }
  }

  async execute(operation: Pick<Operation, 'id'>, token: string, body: object) {
    return await this.request(`/api/v1/operations/${operation.id}`, token, body);
  }

  /** Makes a grant of an operation for an hour. */
  async createGrant({ id }: Pick<Operation, 'id'>, token: string, name: string) {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    return await this.request('/api/v1/operation-grants', token, { operationScope: id, expiresAt, name });
  }

  /**
   * Whether a trace is whole: with the parent of every span but the first, and all linked spans. The last spans may
   * take a moment, because processes name traces to keep to each other. The span of a caller is never exported.
   */
  isWhole(spans: readonly ExportedSpan[], callersSpan?: string): boolean {
    const ids = new Set(spans.map(({ spanId }) => spanId));
    const exported = new Set(this.receiver.spans.map(({ spanId }) => spanId));
    const orphans = spans.filter(({ parentSpanId }) => !ids.has(parentSpanId));
    return (
      orphans.length === 1 &&
      orphans[0]!.parentSpanId === '' &&
      spans.every(({ links }) => links.every((link) => link === callersSpan || exported.has(link)))
    );
  }

  #next = 0;
}

/** The spans of a trace as a tree of their names, each below its parent, siblings by name. */
export function treeOf(spans: readonly ExportedSpan[], parent = '', depth = 0): string[] {
  return spans
    .filter(({ parentSpanId }) => parentSpanId === parent)
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .flatMap(({ service, name, spanId }) => [
      `${'  '.repeat(depth)}${service}: ${name}`,
      ...treeOf(spans, spanId, depth + 1),
    ]);
}
