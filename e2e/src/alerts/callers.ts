import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Demo } from '@action-platform/local';
import { exchange } from '@action-platform/testing';
import { type Ask, live } from './life.ts';

const CALLERS = 25;

/** Callers who live one life after the other, and begin a new one when something of it fails. */
export class Callers {
  #isStopping = false;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #lives: Promise<void>[];
  /** How many requests there were that had this status, or came to this error instead. */
  readonly outcomes = new Map<number | string, number>();

  /** How the first that failed did. */
  firstFailure: string | undefined;

  /** @param perSecond how many requests begin in a second while all are answered soon */
  constructor({ gateways, owner }: Demo, perSecond: number) {
    const pauseMs = (CALLERS * 1_000) / perSecond;
    this.#lives = Array.from({ length: CALLERS }, async (_, index) => {
      // Each is elsewhere in its life: what fails for a second now and then would else miss a call of all of them, or meet it.
      await delay(pauseMs * index * (1 + 1 / CALLERS));
      const ask = this.#asking(gateways[index % gateways.length]!, owner.token, pauseMs);
      while (!this.#isStopping) await live(ask, `caller-${index}`).catch(() => {});
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#lives);
    this.#agent.destroy();
  }

  #failed(how: string): string {
    this.firstFailure ??= how;
    return how;
  }

  /** Requests of one caller, one after the other, with a pause from the beginning of each to the next. */
  #asking(gateway: string, token: string, pauseMs: number): Ask {
    let next = performance.now();
    return async (method, path, body, granted) => {
      await delay(Math.max(0, next - performance.now()));
      if (this.#isStopping) throw new Error('no further request');
      next = performance.now() + pauseMs;
      const request = {
        method,
        path: `/api/v1/${path}`,
        body: body === undefined ? '' : JSON.stringify(body),
      };
      const more = granted?.run === undefined ? {} : { 'x-routine-invocation-id': granted.run };
      const { outcome, text } = await exchange(gateway, this.#agent, granted?.secret ?? token, request, more);
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
      if (outcome !== 200 && outcome !== 201) throw new Error(this.#failed(`${path}: ${outcome} ${text}`));
      return JSON.parse(text);
    };
  }
}
