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

/** How long a caller waits at most: what is long for any machine, and what is short because calls wait for it. */
const PATIENT_MS = 8_000;
export const IMPATIENT_MS = 2_000;

/** How much more memory a process may hold than before, in MB: far below what grows without a bound. */
const MAY_GROW_MB = 600;

/** The operations that rogues serve: one that writes and one that reads. */
const ofRogues: readonly Operation[] = [createDraft, listVisibleFiles];

/**
 * A platform whose parts are processes as in production, except for some services: in their place are rogues with their
 * credentials. Beside the calls to these, somebody uses all the rest.
 */
export class RoguePlatform {
  readonly harness = new GatewayHarness();
  readonly rogues = new Map<ServiceName, Rogue>();
  /** The reply of every rogue to every request. */
  behaviour: Behaviour = () => {};
  workspace!: TestWorkspace;
  #bystander!: Bystander;
  readonly #processes: TestProcess[] = [];
  readonly #memoryBefore = new Map<TestProcess, number>();

  async start(rogues: readonly ServiceName[], deadlineMs = PATIENT_MS): Promise<void> {
    const { platform, issuer } = this.harness;
    await issuer.start();
    const port = String(await freePort());
    this.harness.url = `http://127.0.0.1:${port}`;
    const environment = { REQUEST_DEADLINE_MS: String(deadlineMs) };
    const gateway = { ...issuer.environment, PORT: port, ...environment };
    this.#processes.push(
      await platform.spawn('grants', environment),
      await platform.spawn('record-store', environment),
      await platform.spawn('gateway', gateway),
    );
    this.workspace = await this.harness.newWorkspace();
    this.#bystander = await Bystander.of(this.harness.url, this.workspace.owner.token);
    for (const service of rogues) await this.#letIn(service);
  }

  /** Kills its processes, because a gateway that stops waits for answers which a rogue began. */
  async stop(): Promise<void> {
    for (const process of this.#processes) process.signal('SIGKILL');
    await this.harness.stop();
  }

  /** A rogue in the place of a service: it serves all that the service may. */
  async #letIn(service: ServiceName): Promise<void> {
    const rogue = await this.harness.platform.rogue(service);
    this.rogues.set(service, rogue);
    const hear = (request: Heard) => void this.behaviour(rogue, request);
    for (const subject of [`op.${service}.>`, `${service}.>`, `health.${service}`]) {
      await rogue.subscribe(subject, hear, service);
    }
  }

  /** Puts the true services back into the place of the rogues. */
  async replaceRogues(): Promise<void> {
    for (const [service, rogue] of this.rogues) {
      await rogue.close();
      await this.harness.platform.spawn(service);
    }
  }

  /** Calls an operation as an Owner does; what becomes of it. `signal` is its caller's leaving. */
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

  /** Calls every operation that a rogue serves, at the same time. */
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

  /** Runs something while others use all the rest of the platform, and expects that they notice nothing of it. */
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

/** The physical memory that a process holds, in MB. */
function residentMB({ pid }: TestProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) / 1024;
}
