import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { type BusUser, busHeaders, busUsers, inboxPrefix } from '@action-platform/contracts';
import { readDeployment } from '@action-platform/deployment';
import { localDirectory, readStack } from '@action-platform/local';
import { type Heard, Rogue } from '@action-platform/testing';
import { requireSound } from '../http/sound-answer.ts';
import { headerOf, publish } from './message.ts';
import type { BusRequest } from './requests.ts';

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
      const isSent = publish(rogue, request.subject, request, request.reply ?? inbox);
      if (!isSent || !request.isServed || request.reply !== null) return await rogue.flush();
      const answer = (await Promise.race([answered.promise, rogue.closed])) || undefined;
      assert(answer !== undefined, `${request.subject} does not answer; ${rogue.refusals.at(-1)}`);
      if (request.headers.some(([name]) => name === busHeaders.batch)) {
        assert.equal(
          answer.headers + answer.body + answer.reply,
          '',
          `${request.subject} accepts a malformed batch`,
        );
        return;
      }
      judge(answer, request);
      if (answer.reply !== '') await goOn(rogue, answer.reply, inbox, request.goOn);
    } finally {
      clearTimeout(timer);
      this.#awaited.delete(inbox);
    }
  }

  #receive(answer: Heard): void {
    this.#awaited.get(answer.subject)?.(answer);
  }
}

function judge(answer: Heard, { subject, as, hasCaller, isSound }: BusRequest): void {
  const { headers, body, reply } = answer;
  assert(!/^NATS\/1\.0 503/.test(headers), `no service serves ${subject} for ${as}`);
  const status = Number(headerOf(answer, busHeaders.status));
  assert(Number.isInteger(status), `${subject} answers without a status`);
  assert(hasCaller || status !== 200, `${subject} succeeds without a caller`);
  if (reply !== '' || status < 400) {
    assert.equal(status, 200, `${subject} answers ${status}`);
    return;
  }
  const { error } = JSON.parse(body) as { error: { requestId: string } };
  const retryAfter = headerOf(answer, busHeaders.retryAfter) ?? '';
  requireSound({ status, headers: { 'x-request-id': error.requestId, 'retry-after': retryAfter }, body });
  assert(status < 500 || !isSound, `${subject} answers a valid request with ${body.slice(0, 300)}`);
}

/** Sends credit or nonsense for a long answer, then cancels it; the sender must survive either. */
async function goOn(
  rogue: Rogue,
  creditSubject: string,
  inbox: string,
  how: BusRequest['goOn'],
): Promise<void> {
  if (how === 'credit') rogue.publish(creditSubject, { reply: `${inbox}.1` });
  if (how === 'nonsense') rogue.publish(creditSubject, { reply: 'op.mail.mail.send_email', body: 'x' });
  await delay(5);
  rogue.publish(`${creditSubject}.9`, { headers: `${busHeaders.cancel}: true\r\n` });
}
