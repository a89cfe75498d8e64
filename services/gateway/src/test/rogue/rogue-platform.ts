import { readFileSync } from 'node:fs';
import { createDraft, listVisibleFiles, type Operation, type ServiceName } from '@action-platform/contracts';
import { freePort } from '@action-platform/local-servers';
import type { Heard, Rogue, TestProcess } from '@action-platform/testing';
import { expect } from '@jest/globals';
import { GatewayHarness, type TestWorkspace } from '../harness.ts';
import { Bystander } from './bystander.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

/** A rogue's reply to a request that it receives. */
export type Behaviour = (rogue: Rogue, request: Heard) => void | Promise<void>;

/** The deadlines of requests, in milliseconds: one that no machine exceeds, and a short one for tests that wait for it. */
const LONG_DEADLINE_MS = 8_000;
export const SHORT_DEADLINE_MS = 2_000;

/** The tolerated growth of a process's memory, in MB: far below unbounded growth. */
const MAY_GROW_MB = 600;

/** The operations of the rogues: a write and a read. */
const ofRogues: readonly Operation[] = [createDraft, listVisibleFiles];

/**
 * A platform of processes as in production, where rogues replace some services and have their credentials. A bystander calls
 * the other services meanwhile.
 */
export class RoguePlatform {
  readonly harness = new GatewayHarness();
  readonly rogues = new Map<ServiceName, Rogue>();
  /** The reply of every rogue to every request. */
  behaviour: Behaviour = () => {};
  /** How many requests the rogues received. */
  received = 0;
  workspace!: TestWorkspace;
  #bystander!: Bystander;
  readonly #processes: TestProcess[] = [];
  readonly #memoryBefore = new Map<TestProcess, number>();

  async start(rogues: readonly ServiceName[], deadlineMs = LONG_DEADLINE_MS): Promise<void> {
    const { platform, issuer } = this.harness;
    await issuer.start();
    const port = String(await freePort());
    this.harness.url = `http://127.0.0.1:${port}`;
    const environment = { REQUEST_DEADLINE_MS: String(deadlineMs) };
    const gateway = { ...issuer.environment, PORT: port, ...environment };
    this.#processes.push(
      ...(await Promise.all([
        platform.spawn('grants', environment),
        platform.spawn('record-store', environment),
        platform.spawn('gateway', gateway),
      ])),
    );
    this.workspace = await this.harness.newWorkspace();
    this.#bystander = await Bystander.of(this.harness.url, this.workspace.owner.token);
    for (const service of rogues) await this.#replace(service);
  }

  /** Kills its processes, because a stopping gateway would wait for the answers that a rogue began. */
  async stop(): Promise<void> {
    for (const process of this.#processes) process.signal('SIGKILL');
    await this.harness.stop();
  }

  /** Connects a rogue in the place of a service, on every subject of that service. */
  async #replace(service: ServiceName): Promise<void> {
    const rogue = await this.harness.platform.rogue(service);
    this.rogues.set(service, rogue);
    const hear = (request: Heard) => {
      this.received++;
      void this.behaviour(rogue, request);
    };
    for (const subject of [`op.${service}.>`, `${service}.>`, `health.${service}`]) {
      await rogue.subscribe(subject, hear, service);
    }
  }

  /** Replaces the rogues by the true services. */
  async replaceRogues(): Promise<void> {
    for (const [service, rogue] of this.rogues) {
      await rogue.close();
      await this.harness.platform.spawn(service);
    }
  }

  /** Calls an operation as an Owner and returns the outcome. `signal` closes the caller's connection. */
  call({ id, example }: Operation, signal?: AbortSignal): Promise<Outcome> {
    return outcomeOf(
      fetch(`${this.harness.url}/api/v1/operations/${id}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.workspace.owner.token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(example),
        signal: signal ?? null,
      }),
    );
  }

  /** Calls every operation of the rogues at the same time. */
  async callRogues(signal?: AbortSignal): Promise<readonly [Operation, Outcome][]> {
    return await Promise.all(
      ofRogues
        .filter(({ service }) => this.rogues.has(service))
        .map(async (operation) => [operation, await this.call(operation, signal)] as [Operation, Outcome]),
    );
  }

  /** How often a process of the platform has lost its connection to the bus. */
  get lostConnections(): number {
    const lines = this.#processes.flatMap((process) => process.lines);
    return lines.filter((line) => line.includes('lost the connection to the NATS server')).length;
  }

  /** Runs `run` while a bystander calls the other services, and expects that none of its calls fails. */
  async unnoticed(run: () => Promise<void>): Promise<void> {
    for (const process of this.#processes) {
      if (!this.#memoryBefore.has(process)) this.#memoryBefore.set(process, residentMB(process));
    }
    const stop = this.#bystander.begin();
    try {
      await run();
    } finally {
      await stop();
    }
    for (const process of this.#processes) {
      expect(residentMB(process) - this.#memoryBefore.get(process)!).toBeLessThan(MAY_GROW_MB);
    }
  }
}

/** The resident memory of a process, in MB. */
function residentMB({ pid }: TestProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) / 1024;
}
