import assert from 'node:assert/strict';
import { busHeaders, inboxPrefix, type ServiceName } from '@action-platform/contracts';
import { freePort } from '@action-platform/local-servers';
import { type Heard, type Rogue, TestIssuer, TestPlatform, type TestProcess } from '@action-platform/testing';
import { type RawAnswer, rawAnswers } from '../http/answers.ts';
import { requireSound } from '../http/sound-answer.ts';
import { talk } from '../http/talk.ts';
import { requireHarmless } from '../stack-health.ts';
import { type AnswerMessage, type BusAnswers, requests } from './answers.ts';
import { hasMore, headerOf, publish } from './message.ts';

/** The gateway's time limit for an answer, in milliseconds; short, because many inputs are silent services. */
const REQUEST_DEADLINE_MS = 600;
/** The gateway logs this for a malformed answer. */
const MALFORMED_ANSWER = /^request failed$/;

/** A gateway on a bus of its own, where hostile services send the answers of an input. */
export class FuzzedGateway {
  readonly #platform = new TestPlatform();
  readonly #issuer = new TestIssuer();
  readonly #mark: string;
  #gateway!: TestProcess;
  #url = '';
  #token = '';
  /** How many lines of its log were judged. */
  #judged = 0;
  /** The inputs of the calls in flight, by the numbers in their request ids. */
  readonly #inputs = new Map<string, BusAnswers>();
  /** The calls that reached a service, besides grants for authority. */
  readonly #asked = new Set<string>();
  #counter = 0;

  private constructor(mark: string) {
    this.#mark = mark;
  }

  /** @param mark a text that the gateway may not log. */
  static async start(mark: string): Promise<FuzzedGateway> {
    const fuzzed = new FuzzedGateway(mark);
    await fuzzed.#serve('grants', 'grants.>');
    await fuzzed.#serve('record-store', 'op.record-store.>');
    await fuzzed.#issuer.start();
    const port = String(await freePort());
    fuzzed.#url = `http://127.0.0.1:${port}`;
    fuzzed.#token = await fuzzed.#issuer.token({ workspaceId: 'ws_1', userId: 'olga' });
    fuzzed.#gateway = await fuzzed.#platform.spawn('gateway', {
      ...fuzzed.#issuer.environment,
      PORT: port,
      REQUEST_DEADLINE_MS: String(REQUEST_DEADLINE_MS),
      LOG_LEVEL: 'debug',
    });
    return fuzzed;
  }

  async stop(): Promise<void> {
    await this.#platform.stop();
    this.#issuer.stop();
  }

  /** Sends an HTTP request while services answer the gateway with the input. @throws AssertionError for a wrong HTTP answer */
  async check(input: BusAnswers): Promise<void> {
    const number = String(++this.#counter);
    const { method, path, body, effect } = requests[input.request];
    const lines = [
      `${method} ${path} HTTP/1.1`,
      'Host: gateway',
      `Authorization: Bearer ${this.#token}`,
      `x-request-id: fuzz-${number}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ];
    this.#inputs.set(number, input);
    try {
      const writes = [`${lines.join('\r\n')}\r\n\r\n${body}`];
      const answer = wholeAnswer(await talk(this.#url, { writes, isWhole: true }), input.outcome);
      if (answer !== undefined) judge(answer, input, effect === 'write' && this.#asked.has(number));
    } finally {
      this.#inputs.delete(number);
      this.#asked.delete(number);
    }
  }

  /** @throws AssertionError when the log has a forbidden new line */
  checkLog(): void {
    const { lines } = this.#gateway;
    const from = this.#judged;
    this.#judged = lines.length;
    requireHarmless('gateway', lines.slice(from), this.#mark, MALFORMED_ANSWER);
  }

  async #serve(service: ServiceName, subject: string): Promise<void> {
    const rogue = await this.#platform.rogue(service);
    const credits = `${inboxPrefix(service)}.FUZZ`;
    await rogue.subscribe(`${credits}.>`, (credit) => this.#answerCredit(rogue, credit));
    const hear = (request: Heard) => {
      const [, number = ''] = /^fuzz-(\d+)$/.exec(headerOf(request, busHeaders.requestId) ?? '') ?? [];
      const input = this.#inputs.get(number);
      if (input === undefined || request.reply === '') return;
      const isAuthority = /^grants\.(authorize|discover)$/.test(request.subject);
      if (!isAuthority) this.#asked.add(number);
      answer(rogue, request.reply, isAuthority ? input.authority : input.outcome, `${credits}.${number}`);
    };
    await rogue.subscribe(subject, hear, service);
  }

  /** Sends the chunk that a credit permits. Its subject ends with the number of the call; its reply subject with that of the chunk. */
  #answerCredit(rogue: Rogue, { subject, reply }: Heard): void {
    if (reply === '') return;
    const number = subject.split('.')[2]!;
    const chunk = this.#inputs.get(number)?.chunks[Number(reply.split('.').at(-1)) - 1];
    if (chunk === undefined) rogue.publish(reply);
    else answer(rogue, reply, chunk);
  }
}

function answer(rogue: Rogue, to: string, message: AnswerMessage, credits?: string): void {
  // An empty message says that the service failed.
  if (!publish(rogue, to, message, message.asksForCredit ? credits : undefined)) rogue.publish(to);
}

/**
 * The answer; undefined when it ended early, as it does when a service fails in the middle of a long answer. The gateway then resets
 * the connection, which may lose all bytes.
 */
function wholeAnswer(received: Buffer, outcome: AnswerMessage): RawAnswer | undefined {
  try {
    const answers = rawAnswers(received, false);
    assert.equal(answers.length, 1, `one request gets ${answers.length} answers`);
    return answers[0];
  } catch (problem) {
    const hasBegun = outcome.headers.some(([name, value]) => name === busHeaders.status && value === '200');
    if (hasMore(outcome) && (hasBegun || received.length > 0)) return undefined;
    throw problem;
  }
}

/** The gateway passes answers of services on unchanged. Without a valid answer it sends an error of its own. */
function judge(answer: RawAnswer, { authority, outcome }: BusAnswers, isWriteAsked: boolean): void {
  assert(answer.headers['x-request-id'] !== undefined, 'an answer without x-request-id');
  assert(answer.status >= 200 && answer.status < 600, `status ${answer.status}`);
  const bodies = [authority, outcome].map(({ body }) => Buffer.from(body, 'latin1').toString());
  if (hasMore(outcome) || bodies.includes(answer.body)) return;
  const code = requireSound(answer);
  assert(
    !isWriteAsked || code !== 'action_platform_unavailable',
    'the gateway answers a write that it sent as if it had no effect',
  );
}
