import { setTimeout as delay } from 'node:timers/promises';
import { RecoveryTime } from '../../availability/recovery-time.ts';
import type { Action, Outcome } from '../history/history.ts';
import { newGrant, newRoutine } from './grants.ts';
import { payloadOf, requestOf } from './requests.ts';
import { operation, Session } from './session.ts';
import { type Step, stepsOf } from './steps.ts';
import type { World } from './world.ts';

/** The pause of a client after each step, in milliseconds. */
const REST_MS = 10;

/** A client that takes its steps one after the other and records their outcomes. */
export class Client {
  readonly recovery = new RecoveryTime();
  readonly #number: number;
  readonly #world: World;
  readonly #session: Session;
  /** The last version in an answer, by Record. */
  readonly #versions = new Map<string, number>();
  readonly #ended: Promise<void>;
  #isStopping = false;

  constructor(number: number, seed: number, world: World) {
    this.#number = number;
    this.#world = world;
    this.#session = new Session(world.url, world.token);
    this.#ended = this.#run(stepsOf(number, seed));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#ended;
    this.#session.close();
  }

  async #run(steps: readonly Step[]): Promise<void> {
    for (let taken = 0; !this.#isStopping; taken++) {
      const begunAt = performance.now();
      if (await this.#take(steps[taken % steps.length]!, taken)) this.recovery.succeeded(begunAt);
      await delay(REST_MS);
    }
  }

  /** Takes a step. @returns whether its outcome is known; a refusal counts */
  async #take(step: Step, taken: number): Promise<boolean> {
    const world = this.#world;
    const action = this.#actionOf(step, taken);
    if (action === undefined) {
      const asked = step.what === 'grant' ? newGrant(world, step.grant) : newRoutine(world, step.routine);
      return isAnswered(await this.#session.ask(asked));
    }
    const begunAt = performance.now();
    const outcome =
      action.what === 'list'
        ? await this.#list(action.collection)
        : await this.#session.ask(requestOf(action, world), step.givesUp);
    world.entries.push({ client: this.#number, action, begunAt, endedAt: performance.now(), outcome });
    if ('record' in action && outcome.is === 'done')
      this.#versions.set(action.record, outcome.result.revisions!.at(-1)!.version);
    return isAnswered(outcome);
  }

  /** The recorded action of a step; undefined for the creation of a grant. */
  #actionOf(step: Step, taken: number): Action | undefined {
    const { records, collection, limited, grants, routines } = this.#world;
    const own = `${this.#number}-${taken}`;
    switch (step.what) {
      case 'push':
      case 'fill': {
        // Clients take the same step at about the same time, so some send the same request with the same key.
        const key = step.what === 'push' && step.isShared ? `shared-${taken}` : own;
        const bytes = JSON.stringify(payloadOf(key)).length;
        return {
          what: 'push',
          collection: step.what === 'push' ? collection : limited.collection,
          key,
          bytes,
        };
      }
      case 'replace':
      case 'patch': {
        const record = records[step.record]!;
        const expected = step.isExpecting ? this.#versions.get(record) : undefined;
        return { what: step.what, record, key: own, expected };
      }
      case 'get':
      case 'history':
        return { what: step.what, record: records[step.record]! };
      case 'list':
        return { what: 'list', collection };
      case 'use':
      case 'revoke':
        return { what: step.what, grant: grants[step.grant]! };
      case 'run':
        return { what: 'run', grant: routines[step.routine]!, invocation: String(step.invocation) };
      case 'draft':
        return { what: 'draft', key: `draft-${step.isShared ? taken : own}` };
      default:
        return undefined;
    }
  }

  /** All pages of a listing. */
  async #list(collection: string): Promise<Outcome> {
    return await listAll(this.#session, collection, this.#world.token);
  }
}

/** The ids of all Records of a Collection, from all pages of a listing. */
export async function listAll(session: Session, collection: string, token: string): Promise<Outcome> {
  const records: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const input = { collection_id: collection, limit: 200, ...(cursor !== undefined && { cursor }) };
    const outcome = await session.ask({
      ...operation(
        'record_store.list_records',
        input,
        (page: { records: { id: string }[]; next_cursor: string | null }) => {
          records.push(...page.records.map(({ id }) => id));
          cursor = page.next_cursor;
          return {};
        },
      ),
      token,
    });
    if (outcome.is !== 'done') return outcome;
  }
  return { is: 'done', result: { records } };
}

function isAnswered({ is }: Outcome): boolean {
  return is !== 'unknown';
}
