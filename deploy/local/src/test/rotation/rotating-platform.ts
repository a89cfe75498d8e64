import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { callService, connectBus } from '@action-platform/bus';
import {
  addMember,
  connectApp,
  createWorkspace,
  type ProcessName,
  services,
} from '@action-platform/contracts';
import { paths } from '@action-platform/deployment';
import { freePort } from '@action-platform/local-servers';
import { TestDeployment, TestIssuer } from '@action-platform/testing';
import type { Demo } from '../../demo-workspace.ts';
import { startNodeService } from '../../stack/node-service.ts';
import type { RunningProcess } from '../../stack/supervisor.ts';

const REPLICAS = 2;
const POLL_MS = 20;
const PAUSE_MS = 1_000;
/** How long a gateway goes on serving when it is told to stop, so that the balancer hears of it, in milliseconds. */
const SHUTDOWN_DELAY_MS = 2_000;

/** A process of the platform, which is started again and again. */
interface Part {
  readonly name: string;
  /** Where a gateway listens. */
  readonly url?: string;
  start(): Promise<RunningProcess>;
  process: RunningProcess;
}

/** A platform on a deployment with TLS, two replicas of everything, whose processes are given nothing but its files. */
export class RotatingPlatform {
  readonly deployment: TestDeployment;
  readonly #issuer: TestIssuer;
  readonly #parts: Part[] = [];

  private constructor(deployment: TestDeployment, issuer: TestIssuer) {
    this.deployment = deployment;
    this.#issuer = issuer;
  }

  static async start(): Promise<RotatingPlatform> {
    const issuer = new TestIssuer();
    await issuer.start();
    const platform = new RotatingPlatform(await TestDeployment.start({ tls: true }), issuer);
    for (const service of [...services, 'gateway'] as const) {
      for (let replica = 1; replica <= REPLICAS; replica++) await platform.#add(service, replica);
    }
    return platform;
  }

  /** A new Workspace with an Owner who has a mailbox. */
  async workspace(): Promise<Pick<Demo, 'owner'>> {
    const { deployment } = this;
    const bus = await connectBus({
      url: deployment.natsUrl,
      authorityFile: join(deployment.folder, paths.authority),
      user: 'admin',
      seed: deployment.read(paths.seed('admin')),
      maxMessageBytes: 64 * 1024,
    });
    const patience = { timeoutMs: 10_000 };
    const { workspace_id: workspaceId } = await callService(
      bus,
      createWorkspace,
      { name: 'Rotation' },
      patience,
    );
    const member = { workspace: workspaceId, user: 'owner', role: 'owner' } as const;
    await callService(bus, addMember, member, patience);
    const mailbox = { app: 'mail_suite', email: 'owner@example.com', provider: 'local' } as const;
    await callService(bus, connectApp, { ...member, ...mailbox }, patience);
    await bus.drain();
    const token = await this.#issuer.token({ workspaceId, userId: member.user });
    return { owner: { user_id: member.user, token } };
  }

  /** Where the gateways listen. */
  get gateways(): string[] {
    return this.#parts.flatMap(({ url }) => url ?? []);
  }

  /** Restarts every process, one after the other. */
  async restart(): Promise<void> {
    for (const part of this.#parts) {
      await part.process.stop();
      part.process = await part.start();
      // The balancer has to see that it is there again.
      if (part.url !== undefined) await delay(PAUSE_MS);
    }
  }

  async stop(): Promise<void> {
    for (const { process } of this.#parts.toReversed()) await process.stop();
    this.#issuer.stop();
    await this.deployment.stop();
  }

  async #add(service: ProcessName, replica: number): Promise<void> {
    const { folder, natsUrl } = this.deployment;
    const name = `${service}-${replica}`;
    const logFile = join(folder, `${name}.log`);
    const port = service === 'gateway' ? await freePort() : undefined;
    const environment = {
      PATH: process.env.PATH ?? '',
      NATS_URL: natsUrl,
      NATS_CA_FILE: join(folder, paths.authority),
      NATS_NKEY_SEED_FILE: join(folder, paths.seed(service)),
      ...(service === 'gateway'
        ? { PORT: String(port), SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS), ...this.#issuer.environment }
        : { MONGODB_URL_FILE: join(folder, paths.databaseUrl(service)) }),
      MAIL_LOCAL_DIR: join(folder, 'mail'),
    };
    const start = async () => {
      const starts = () =>
        readFileSync(logFile, { encoding: 'utf8', flag: 'a+' }).split('"msg":"ready"').length;
      const before = starts();
      const running = await startNodeService(service, environment, logFile);
      while (starts() === before) await delay(POLL_MS);
      if (url !== undefined) await untilReady(url);
      return running;
    };
    const url = port === undefined ? undefined : `http://127.0.0.1:${port}`;
    this.#parts.push({ name, ...(url !== undefined && { url }), start, process: await start() });
  }
}

async function untilReady(url: string): Promise<void> {
  while (!(await fetch(`${url}/readyz`)).ok) await delay(POLL_MS);
}
