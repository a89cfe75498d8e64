import { setTimeout as delay } from 'node:timers/promises';
import {
  addFile,
  addMember,
  connectApp,
  disconnectApp,
  removeMember,
  setMemberRole,
} from '@action-platform/contracts/calls';
import { type Action, isFinal, type Result } from '../history.ts';
import type { Fixture } from './fixture.ts';
import { listAll } from './list-all.ts';
import { takeMany } from './many.ts';
import { payloadOf, requestOf } from './requests.ts';
import { type Answered, type Request, Session } from './session.ts';
import { type Step, stepsOf, type Weights } from './steps.ts';

/** Of so many Records that were pushed last the clients choose one, so that several choose the same. */
const RECENT = 40;
const READS: readonly Action['what'][] = ['get', 'history', 'list', 'use', 'run', 'read_file'];

/** How often a call that is sent once is repeated, and the pause before, in milliseconds. */
const [REPETITIONS, REPEAT_ONCE_MS] = [4, 500];

/** The key of a push, and the bytes of its payload. */
const keyed = (key: string) => ({ key, bytes: JSON.stringify(payloadOf(key)).length });

/** How clients load a platform. */
export interface Workload {
  readonly clients: number;
  readonly weights: Weights;
  readonly seed: number;
  /** The mean pause of a client after each step, in milliseconds. */
  readonly restMs?: number;
  /** Whether clients write to the Records that were pushed last; by default to those that were there first. */
  readonly onRecent?: boolean;
  /** Whether every client has keys of its own; by default some send the same request with the same key. */
  readonly sharesNoKey?: boolean;
  /** Whether no write names the version that it expects. */
  readonly expectsNothing?: boolean;
  /** Whether clients leave some outcomes unknown. */
  readonly givesUp?: boolean;
  /** How many request ids the clients share; by default each request has its own. */
  readonly requestIds?: number;
}

/** Takes an action of a client. */
export async function take(
  action: Action,
  fixture: Fixture,
  session: Session,
  givesUp = false,
): Promise<Answered> {
  switch (action.what) {
    case 'list':
      return await listAll(session, action.collection);
    case 'file': {
      const { file } = await fixture.platform.operate(addFile, {
        workspace: fixture.workspace,
        path: action.key,
      });
      return { outcome: { is: 'done', result: { made: file.key } }, attempts: [] };
    }
    case 'pay_once':
    case 'pay_tool':
      return await askSome(requestOf(action, fixture), session);
    default:
      return await session.ask(requestOf(action, fixture), givesUp);
  }
}

/** Asks a few times: after an outcome that nobody knows, each repetition of a call that is sent once has the same. */
async function askSome(request: Request, session: Session): Promise<Answered> {
  let answered = await session.ask(request, true);
  for (let again = 0; again < REPETITIONS && answered.outcome.is !== 'done'; again++) {
    await delay(REPEAT_ONCE_MS);
    const repeated = await session.ask(request, true);
    answered = { ...repeated, attempts: [...answered.attempts, ...repeated.attempts] };
  }
  return answered;
}

/** A client that takes its steps one after the other and records their outcomes. */
export class Client {
  readonly #number: number;
  readonly #fixture: Fixture;
  readonly #workload: Workload;
  readonly #session: Session;
  /** The last version in an answer, by Record. */
  readonly #versions = new Map<string, number>();
  readonly #ended: Promise<void>;
  #isStopping = false;
  #awaited: { readonly since: number; readonly resolve: (seconds: number) => void } | undefined;

  constructor(number: number, fixture: Fixture, workload: Workload) {
    this.#number = number;
    this.#fixture = fixture;
    this.#workload = workload;
    const { requestIds } = workload;
    let asked = number;
    const requestId = requestIds === undefined ? undefined : () => `import-${asked++ % requestIds}`;
    const { token } = fixture.owners[number % fixture.owners.length]!;
    this.#session = new Session(fixture.url, token, {
      ...(requestId && { requestId }),
      approve: fixture.approve,
    });
    this.#ended = this.#run(stepsOf(workload.weights, workload.seed + number));
  }

  /** The seconds from a moment to the end of a step that began after it, and that the platform served: with a success, or a refusal for good. */
  recovery(since: number): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#awaited = { since, resolve };
    return promise;
  }

  /** Resolves when the outcome of the last step is known. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#ended;
    this.#session.close();
  }

  async #run(steps: readonly Step[]): Promise<void> {
    for (let taken = 0; !this.#isStopping; taken++) {
      const begunAt = performance.now();
      const isServed = await this.#take(steps[taken % steps.length]!, taken);
      if (isServed && this.#awaited !== undefined && begunAt >= this.#awaited.since) {
        this.#awaited.resolve((performance.now() - this.#awaited.since) / 1_000);
        this.#awaited = undefined;
      }
      // At random: clients in step with each other meet the same moment of each batch of the platform.
      await delay((this.#workload.restMs ?? 0) * 2 * Math.random());
    }
  }

  /** Takes a step. @returns whether the platform served it */
  async #take(step: Step, taken: number): Promise<boolean> {
    const fixture = this.#fixture;
    if (step.what === 'member') return await this.#member(`member-${this.#number}-${taken}`);
    const actions = this.#actionsOf(step, taken);
    const mayGiveUp = step.givesUp && this.#workload.givesUp === true;
    const begunAt = performance.now();
    const answers =
      step.what === 'push_many' || step.what === 'fill_many' || step.what === 'get_many'
        ? await takeMany(actions as Parameters<typeof takeMany>[0], fixture, this.#session, mayGiveUp)
        : [await take(actions[0]!, fixture, this.#session, mayGiveUp)];
    const endedAt = performance.now();
    for (const [place, { outcome, attempts }] of answers.entries()) {
      const action = actions[place]!;
      fixture.entries.push({ client: this.#number, action, begunAt, endedAt, outcome, attempts });
      if (outcome.is === 'done') this.#note(action, outcome.result);
    }
    return answers.every(({ outcome }) => isFinal(outcome));
  }

  /** Notes a success for the next steps. */
  #note(action: Action, { record, revisions }: Result): void {
    const fixture = this.#fixture;
    if (!READS.includes(action.what)) fixture.acknowledged++;
    if ('record' in action && revisions) this.#versions.set(action.record, revisions.at(-1)!.version);
    if (action.what === 'push' && action.collection !== fixture.limited.collection) {
      fixture.recent.push(record!);
      if (fixture.recent.length > RECENT) fixture.recent.shift();
    }
    if (action.what === 'delete' && fixture.recent.includes(action.record))
      fixture.recent.splice(fixture.recent.indexOf(action.record), 1);
  }

  /** The actions of a step: of one that makes a call of many, some of one Collection. */
  #actionsOf(step: Step, taken: number): Action[] {
    const call = `${this.#number}-${taken}`;
    switch (step.what) {
      case 'push_many':
      case 'fill_many': {
        const what = step.what === 'push_many' ? 'push' : 'fill';
        return Array.from({ length: step.items }, (_, place) => {
          const action = this.#actionOf({ ...step, what, isShared: step.isShared && place === 0 }, taken);
          return place === 0 ? { ...action, call } : { ...action, call, ...keyed(`${call}/${place}`) };
        });
      }
      case 'get_many': {
        const { places } = this.#fixture;
        const gets = Array.from({ length: step.items }, (_, place) =>
          this.#actionOf({ ...step, what: 'get', record: step.record + place }, taken),
        ) as Extract<Action, { what: 'get' }>[];
        const inOne = gets.filter(({ record }) => places.get(record) === places.get(gets[0]!.record));
        return [...new Map(inOne.map((get) => [get.record, get])).values()];
      }
      default:
        return [this.#actionOf(step, taken)];
    }
  }

  #actionOf({ what, ...step }: Step, taken: number): Action {
    const { records, recent, collections, files, limited, grants, routines } = this.#fixture;
    const own = `${this.#number}-${taken}`;
    // Clients take the same step at about the same time, so some send the same request with the same key.
    const shared = `shared-${taken}-${this.#number % this.#fixture.owners.length}`;
    const isShared = step.isShared && this.#workload.sharesNoKey !== true;
    const place = step.collection % collections.length;
    const isRecent = this.#workload.onRecent === true && recent.length > 0;
    const pool = isRecent ? recent : records;
    const record = pool[step.record % pool.length]!;
    switch (what) {
      case 'push':
      case 'fill': {
        // A key is one of its Collection.
        const key = what === 'push' && isShared ? `${shared}-${place}` : own;
        const collection = what === 'push' ? collections[place]! : limited.collection;
        return { what: 'push', collection, ...keyed(key) };
      }
      case 'replace':
      case 'patch': {
        const isExpecting = step.isExpecting && this.#workload.expectsNothing !== true;
        return { what, record, key: own, expected: isExpecting ? this.#versions.get(record) : undefined };
      }
      case 'get':
      case 'history':
        return { what, record };
      case 'read_file':
        return { what, file: files[step.record % files.length]! };
      case 'archive':
      case 'restore':
      case 'delete':
        // The first Records stay.
        return { what: isRecent ? what : 'get', record };
      case 'list':
        return { what, collection: collections[0]! };
      case 'use':
      case 'revoke':
        return { what, grant: grants[step.grant]! };
      case 'run':
        return { what, grant: routines[step.routine]!, invocation: String(step.invocation) };
      case 'grant':
      case 'routine':
        return { what, key: own, slot: step[what] };
      case 'draft':
      case 'refund':
      case 'pay_once':
      case 'pay_keyed':
      case 'pay_tool':
        return { what, key: `${what}-${isShared ? shared : own}` };
      case 'collection':
      case 'procedure':
      case 'file':
        return { what, key: own };
      default:
        throw new Error(`no client takes the step ${what}`);
    }
  }

  /** The life of a Member; a command that fails is not repeated: the documents tell whether it changed something. */
  async #member(user: string): Promise<true> {
    const { platform, workspace } = this.#fixture;
    const member = { workspace, user };
    const app = { ...member, app: 'mail_suite' } as const;
    const commands = [
      () => platform.operate(addMember, member),
      () => platform.operate(connectApp, { ...app, provider: 'local' }),
      () => platform.operate(setMemberRole, { ...member, role: 'owner' }),
      () => platform.operate(disconnectApp, app),
      () => platform.operate(removeMember, member),
    ];
    for (const command of commands)
      await command().then(
        () => this.#fixture.acknowledged++,
        () => delay(50),
      );
    return true;
  }
}
