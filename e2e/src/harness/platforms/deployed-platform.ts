import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { callService, connectBus } from '@action-platform/bus';
import { type Call, type ProcessName, services } from '@action-platform/contracts';
import { type DatabaseUser, paths } from '@action-platform/deployment';
import {
  type Release,
  type RunningProcess,
  startNodeService,
  thisRelease,
  untilReady,
} from '@action-platform/local/processes';
import { freePort } from '@action-platform/local-servers';
import { TestIssuer, untilWell } from '@action-platform/testing';
import type { z } from 'zod';
import type { Platform } from '../workload/world.ts';

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
  readonly url?: string;
  /** Starts it; undefined when the release does not have it. */
  start(release: Release): Promise<RunningProcess | undefined>;
  process: RunningProcess | undefined;
  release: Release;
}

/** Options of a platform. */
interface PlatformOptions {
  /** The version that starts first; this one by default. */
  readonly release?: Release;
  /** Variables for every process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A deployment with TLS whose servers run. */
export interface RunningDeployment {
  readonly folder: string;
  /** The NATS servers, separated by commas. */
  readonly natsUrl: string;
  /** The current text of a file of the deployment. */
  read(path: string): string;
}

/** A platform on a deployment with TLS: two replicas of everything, configured by the files of the deployment alone. */
export class DeployedPlatform implements Platform {
  readonly #deployment: RunningDeployment;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #first: Release;
  readonly #issuer = new TestIssuer();
  readonly #parts: Part[] = [];

  constructor(
    deployment: RunningDeployment,
    { release = thisRelease, environment = {} }: PlatformOptions = {},
  ) {
    this.#deployment = deployment;
    this.#environment = environment;
    this.#first = release;
  }

  async start(): Promise<void> {
    await this.#issuer.start();
    for (const service of [...services, 'gateway'] as const) {
      for (let replica = 1; replica <= REPLICAS; replica++) await this.#add(service, replica, this.#first);
    }
  }

  /** A session of a Member. */
  async token(workspaceId: string, userId: string): Promise<string> {
    return await this.#issuer.token({ workspaceId, userId });
  }

  /** Makes a call of an operator. */
  async operate<Input extends z.ZodObject, Output extends z.ZodType>(
    call: Call<Input, Output>,
    input: z.input<Input>,
  ): Promise<z.output<Output>> {
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
  }

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
      part.process = await part.start(part.release);
      // The balancer has to notice that the process is ready again.
      if (part.url !== undefined) await delay(PAUSE_MS);
    }
  }

  async remove(): Promise<void> {
    for (const { process } of this.#parts.toReversed()) await process?.stop();
    this.#issuer.stop();
  }

  async #add(service: ProcessName, replica: number, release: Release): Promise<void> {
    const { folder, natsUrl } = this.#deployment;
    const port = service === 'gateway' ? await freePort() : undefined;
    const url = port === undefined ? undefined : `http://127.0.0.1:${port}`;
    const environment = {
      PATH: process.env.PATH ?? '',
      NATS_URL: natsUrl,
      NATS_CA_FILE: join(folder, paths.authority),
      NATS_NKEY_SEED_FILE: join(folder, paths.seed(service)),
      SEAL_KEYS_FILE: join(folder, paths.sealKeys(service)),
      ...(service === 'gateway'
        ? { PORT: String(port), SHUTDOWN_DELAY_MS: String(SHUTDOWN_DELAY_MS), ...this.#issuer.environment }
        : { MONGODB_URL_FILE: join(folder, paths.databaseUrl(service)) }),
      MAIL_LOCAL_DIR: this.mail,
      ...this.#environment,
    };
    const start = async (as: Release) => {
      // The services of two versions differ.
      if (!existsSync(join(as.folder, 'services', service))) return undefined;
      const logFile = join(folder, logNameOf(service, replica, as));
      const starts = () =>
        readFileSync(logFile, { encoding: 'utf8', flag: 'a+' }).split('"msg":"ready"').length;
      const before = starts();
      const running = await startNodeService(service, environment, logFile, as);
      while (starts() === before) await delay(POLL_MS);
      if (url !== undefined) await untilReady([url], folder);
      return running;
    };
    const process_ = await start(release);
    this.#parts.push({
      service,
      replica,
      ...(url !== undefined && { url }),
      start,
      process: process_,
      release,
    });
  }
}

/** The log file of a process in the folder of the platform, one for each release. */
function logNameOf(service: ProcessName, replica: number, { name }: Release): string {
  return `${service}-${replica}.${name}.log`;
}
