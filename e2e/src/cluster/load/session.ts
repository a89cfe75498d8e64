import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { exchange } from '@action-platform/testing';
import type { Outcome, Result } from '../history/history.ts';

/** How long to wait before a call is repeated, in milliseconds. */
const REPEAT_MS = 50;

/** A request, with a reader of its answer. */
export interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly input?: object;
  /** Replaces the session's own. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly read: (answer: never) => Result;
}

/** A call of an operation. */
export function operation(id: string, input: object, read: (result: never) => Result): Asked {
  const readResult = ({ result }: { result: never }) => read(result);
  return { path: `/api/v1/operations/${id}`, input, read: readResult as Asked['read'] };
}

/** A Member at a gateway, over one persistent connection. */
export class Session {
  readonly #url: string;
  readonly #token: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Asks until the outcome is known, or once. */
  async ask(asked: Asked, givesUp = false): Promise<Outcome> {
    for (let isInDoubt = false; ; ) {
      const outcome = await this.#askOnce(asked);
      const isFinal = outcome.is === 'done' || (outcome.is === 'refused' && outcome.code !== UNAVAILABLE);
      isInDoubt ||= outcome.is === 'unknown';
      if (isFinal) return outcome;
      if (givesUp) return isInDoubt ? { is: 'unknown' } : outcome;
      await delay(REPEAT_MS);
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  async #askOnce({
    method = 'POST',
    path,
    input,
    token = this.#token,
    headers,
    read,
  }: Asked): Promise<Outcome> {
    const body = input === undefined ? '' : JSON.stringify(input);
    const { outcome: status, text } = await exchange(
      this.#url,
      this.#agent,
      token,
      { method, path, body },
      headers,
    );
    if (status === 200 || status === 201) return { is: 'done', result: read(JSON.parse(text) as never) };
    // A refusal or 503 changed nothing. After 502 or a lost answer the outcome is unknown.
    const isRefused = typeof status === 'number' && status !== 502;
    if (!isRefused) return { is: 'unknown' };
    return { is: 'refused', code: (JSON.parse(text) as { error: { code: string } }).error.code };
  }
}

const UNAVAILABLE = 'action_platform_unavailable';
