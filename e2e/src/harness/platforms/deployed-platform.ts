import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { callService, connectBus } from '@action-platform/bus';
import { type ProcessName, services } from '@action-platform/contracts/services';
import { credentialVariables, type DatabaseUser, paths } from '@action-platform/deployment';
import { type Release, startNodeService, thisRelease, untilReady } from '@action-platform/local/processes';
import { freePort, type RunningProcess } from '@action-platform/local-servers';
import { type TestDeployment, TestIssuer, untilWell } from '@action-platform/testing';
import type { Operate } from '../../operator.ts';
import type { Platform } from '../workload/fixture.ts';

const REPLICAS = 2;
const POLL_MS = 20;
const PAUSE_MS = 1_000;
/** How long a gateway serves after the signal to stop, so that the balancer notices, in milliseconds. */
const SHUTDOWN_DELAY_MS = 2_000;

/** A process of the platform, with its restarts. */
interface Part {
  readonly service: ProcessName;
  /** 1, 2, … */
  readonly replica: number;
  /** Where a gateway listens. */
  readonly url: string | undefined;
  release: Release;
  /** Undefined when the release does not have it. */
  process?: RunningProcess | undefined;
}

/** A deployment with TLS whose servers run; `natsUrl` names the NATS servers, separated by commas. */
export type RunningDeployment = Pick<TestDeployment, 'folder' | 'natsUrl' | 'read'>;

/** A platform on a deployment with TLS: two replicas of everything, configured by the files of the deployment alone. */
export class DeployedPlatform implements Platform {
  readonly #deployment: RunningDeployment;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #first: Release;
  readonly #issuer = new TestIssuer();
  readonly #parts: Part[] = [];

  /** @param release the version that starts first @param environment variables for every process */
  constructor(
    deployment: RunningDeployment,
    release = thisRelease,
    environment: Readonly<Record<string, string>> = {},
  ) {
    this.#deployment = deployment;
    this.#environment = environment;
    this.#first = release;
  }

  async start(): Promise<void> {
    await this.#issuer.start();
    for (const service of [...services, 'gateway'] as const) {
      for (let replica = 1; replica <= REPLICAS; replica++) {
        const url = service === 'gateway' ? `http://127.0.0.1:${await freePort()}` : undefined;
        const part: Part = { service, replica, url, release: this.#first };
        this.#parts.push(part);
        await this.#start(part);
      }
    }
  }

  /** A session of a Member. */
  async token(workspaceId: string, userId: string): Promise<string> {
    return await this.#issuer.token({ workspaceId, userId });
  }

  readonly operate: Operate = async (call, input) => {
    const bus = await connectBus({
      url: this.#deployment.natsUrl,
      authorityFile: join(this.#deployment.folder, paths.authority),
      user: 'admin',
      seed: this.#deployment.read(paths.seed('admin')),
      maxMessageBytes: 64 * 1024,
    });
    try {
      return await callService(bus, call, input, { timeoutMs: 10_000 });
    } finally {
      await bus.drain();
    }
  };

  /** The folder with the drafts of the local mail system. */
  get mail(): string {
    return join(this.#deployment.folder, 'mail');
  }

  databaseUrl(user: DatabaseUser): string {
    return this.#deployment.read(paths.databaseUrl(user));
  }

  async ready(): Promise<void> {
    await untilWell(this.gateways);
  }

  /** Where the gateways listen. */
  get gateways(): string[] {
    return this.#parts.flatMap(({ url }) => url ?? []);
  }

  /**
   * Restarts processes, one after the other; by default all of them, without a change.
   *
   * @throws when a process ends with a failure
   */
  async restart(
    which: (part: Pick<Part, 'service' | 'replica'>) => boolean = () => true,
    release?: Release,
  ): Promise<void> {
    for (const part of this.#parts.filter(which)) {
      await part.process?.stop();
      const ended = await part.process?.exited;
      if (ended !== undefined && ended.code !== 0)
        throw new Error(`${part.service} ${part.replica} did not end as it should: ${ended.reason}`);
      part.release = release ?? part.release;
      await this.#start(part);
      // The balancer has to notice that the process is ready again.
      if (part.url !== undefined) await delay(PAUSE_MS);
    }
  }

  async remove(): Promise<void> {
    for (const { process } of this.#parts.toReversed()) await process?.stop();
    this.#issuer.stop();
  }

  async #start(part: Part): Promise<void> {
    const { service, replica, url, release } = part;
    const { folder, natsUrl } = this.#deployment;
    part.process = undefined;
    // The services of two versions differ.
    if (!existsSync(join(release.folder, 'services', service))) return;
    const environment = {
      PATH: process.env.PATH ?? '',
      NATS_URL: natsUrl,
      NATS_CA_FILE: join(folder, paths.authority),
      ...credentialVariables(folder, service),
      ...(service === 'gateway' && { SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS) }),
      ...(service === 'gateway' && this.#issuer.environment),
      ...(url !== undefined && { PORT: new URL(url).port }),
      MAIL_LOCAL_DIR: this.mail,
      ...this.#environment,
    };
    // `countMeetings` reads one log of each release.
    const logFile = join(folder, `${service}-${replica}.${release.name}.log`);
    const starts = () =>
      readFileSync(logFile, { encoding: 'utf8', flag: 'a+' }).split('"msg":"ready"').length;
    const before = starts();
    const started = await startNodeService(service, environment, logFile, release);
    part.process = started;
    while (starts() === before) await delay(POLL_MS);
    if (url !== undefined) await untilReady([url], folder, () => [started.pid]);
  }
}
