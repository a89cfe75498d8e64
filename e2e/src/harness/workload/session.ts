import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Json, send } from '@action-platform/testing/http';
import { type Attempt, isFinal, isUnknown, type Outcome, type Result } from '../history.ts';

/** How long to wait before a call is repeated, in milliseconds. */
export const REPEAT_MS = 50;
/** How long a request is repeated until its outcome is known, in milliseconds: longer than any outage of a suite. */
const KNOWN_WITHIN_MS = 900_000;

/** A request, with a reader of its answer. */
export interface Request {
  readonly method?: string;
  readonly path: string;
  readonly input?: object;
  /** Replaces the session's own. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly read: (answer: Json) => Result;
}

/** A call of an operation. */
export function operation(id: string, input: object, read: (result: Json) => Result): Request {
  return { path: `/api/v1/operations/${id}`, input, read: ({ result }) => read(result) };
}

/** The outcome of a request with its repetitions. */
export interface Answered {
  readonly outcome: Outcome;
  readonly attempts: readonly Attempt[];
}

/** A Member at a gateway, over persistent connections. */
export class Session {
  readonly #url: string;
  readonly #token: string;
  readonly #requestId: () => string;
  readonly #approve: ((id: string) => Promise<void>) | undefined;
  readonly #agent: Agent;

  /**
   * @param requestId the next request id; by default each request has its own
   * @param approve has a call approved that waits for it; without it such a call is refused
   */
  constructor(
    url: string,
    token: string,
    {
      requestId = () => crypto.randomUUID() as string,
      connections = 1,
      approve,
    }: {
      readonly requestId?: () => string;
      readonly connections?: number;
      readonly approve?: ((id: string) => Promise<void>) | undefined;
    } = {},
  ) {
    this.#url = url;
    this.#token = token;
    this.#requestId = requestId;
    this.#approve = approve;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Asks until the outcome is known, or once. @throws Error when no outcome is known after some minutes */
  async ask(request: Request, givesUp = false): Promise<Answered> {
    const attempts: Attempt[] = [];
    const end = performance.now() + KNOWN_WITHIN_MS;
    for (let isInDoubt = false; ; ) {
      const { attempt, outcome } = await this.#askOnce(request);
      const { approvalId } = attempt;
      attempts.push(attempt);
      if (this.#approve !== undefined && approvalId !== undefined) {
        await this.#approve(approvalId);
        continue;
      }
      isInDoubt ||= outcome.is === 'unknown';
      if (isFinal(outcome)) return { outcome, attempts };
      if (givesUp) return { outcome: isInDoubt ? { is: 'unknown' } : outcome, attempts };
      if (performance.now() > end)
        throw new Error(`${request.path}: no outcome in time, and ${attempt.status} last`);
      await delay(REPEAT_MS);
    }
  }

  /** The result of a request that must succeed. @throws Error with the refusal */
  async require(request: Request): Promise<Result> {
    const { outcome } = await this.ask(request);
    if (outcome.is === 'done') return outcome.result;
    throw new Error(`${request.path}: ${JSON.stringify(outcome)}`);
  }

  /** The whole answer of a request that must succeed. @throws Error with the refusal */
  async json(method: string, path: string, input?: object, token = this.#token): Promise<Json> {
    let whole: Json;
    const read = (answer: Json) => {
      whole = answer;
      return {};
    };
    await this.require({ method, path, token, ...(input && { input }), read });
    return whole;
  }

  /** The result of an operation that must succeed. @throws Error with the refusal */
  async execute(id: string, input: object, token?: string): Promise<Json> {
    return (await this.json('POST', `/api/v1/operations/${id}`, input, token)).result;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #askOnce(request: Request): Promise<{ attempt: Attempt; outcome: Outcome }> {
    const { method = 'POST', path, input, token = this.#token, headers, read } = request;
    const requestId = this.#requestId();
    const sent = { method, path, token, body: input, headers: { ...headers, 'x-request-id': requestId } };
    const answer = await send(this.#url, sent, this.#agent).catch(() => undefined);
    if (answer === undefined)
      return { attempt: { requestId, status: 0, isReplay: false }, outcome: { is: 'unknown' } };
    const { status, headers: received } = answer;
    const attempt = { requestId, status, isReplay: 'idempotent-replayed' in received };
    if (status === 200 || status === 201)
      return { attempt, outcome: { is: 'done', result: read(answer.json) } };
    // A refusal or 503 changed nothing. After another failure or a lost answer the outcome is unknown.
    if (isUnknown(status)) return { attempt, outcome: { is: 'unknown' } };
    const outcome = { is: 'refused', code: answer.code } as const;
    if (outcome.code !== 'operation_approval_required') return { attempt, outcome };
    const approvalId = String(received['x-operation-approval-id']);
    return { attempt: { ...attempt, approvalId }, outcome };
  }
}
