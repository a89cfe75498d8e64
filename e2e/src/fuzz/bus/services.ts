import assert from 'node:assert/strict';
import { type BusUser, busHeaders, busUsers, inboxPrefix } from '@action-platform/contracts';
import { readDeployment } from '@action-platform/deployment';
import { localDirectory, readStack } from '@action-platform/local';
import { type Heard, Rogue } from '@action-platform/testing';
import { requireSound } from '../http/sound-answer.ts';
import { headerOf, type Message, publish } from './message.ts';

/** A message to a service, sent with the credentials of a user with permission. */
export interface BusRequest extends Message {
  readonly as: BusUser;
  readonly subject: string;
  /** Whether it is valid, so that it succeeds; else it must have no effect. */
  readonly isSound: boolean;
}

/** Longer than a service may take to answer, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** The services of a running platform, with a hostile connection as every bus user. */
export class FuzzedServices {
  readonly #rogues: ReadonlyMap<BusUser, Rogue>;
  /** The receivers of answers, by their subjects. */
  readonly #awaited = new Map<string, (answer: Heard) => void>();
  #counter = 0;

  private constructor(rogues: ReadonlyMap<BusUser, Rogue>) {
    this.#rogues = rogues;
  }

  /** Connects to the platform of a directory, with the keys that it has there. */
  static async open(directory: string): Promise<FuzzedServices> {
    const stack = localDirectory({ LOCAL_DIR: directory });
    const { nats_url: url } = readStack(stack);
    const keys = readDeployment(stack.keys)!.busKeys.inUse;
    const opened = busUsers.map(async (user) => [user, await Rogue.connect(url, keys[user].seed)] as const);
    const services = new FuzzedServices(new Map(await Promise.all(opened)));
    for (const [user, rogue] of services.#rogues)
      await rogue.subscribe(`${inboxPrefix(user)}.FUZZ.>`, (answer) => services.#receive(answer));
    return services;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#rogues.values()].map((rogue) => rogue.close()));
  }

  /** Sends a request. @throws AssertionError when the answer is missing or has a wrong form */
  async check(request: BusRequest): Promise<void> {
    const rogue = this.#rogues.get(request.as)!;
    const inbox = `${inboxPrefix(request.as)}.FUZZ.${++this.#counter}`;
    const answered = Promise.withResolvers<Heard | undefined>();
    const timer = setTimeout(answered.resolve, TIMEOUT_MS, undefined);
    this.#awaited.set(inbox, answered.resolve);
    try {
      publish(rogue, request.subject, request, inbox);
      const answer = (await Promise.race([answered.promise, rogue.closed])) || undefined;
      assert(answer !== undefined, `${request.subject} does not answer; ${rogue.refusals.at(-1)}`);
      judge(answer, request);
    } finally {
      clearTimeout(timer);
      this.#awaited.delete(inbox);
    }
  }

  #receive(answer: Heard): void {
    this.#awaited.get(answer.subject)?.(answer);
  }
}

function judge(answer: Heard, { subject, isSound }: BusRequest): void {
  const status = Number(headerOf(answer, busHeaders.status));
  assert(Number.isInteger(status), `${subject} answers without a status`);
  assert.equal(status === 200, isSound, `${subject} answers ${status}`);
  if (isSound) return;
  const { error } = JSON.parse(answer.body) as { error: { requestId: string } };
  const retryAfter = headerOf(answer, busHeaders.retryAfter) ?? '';
  const headers = { 'x-request-id': error.requestId, 'retry-after': retryAfter };
  requireSound({ status, headers, body: answer.body });
}
