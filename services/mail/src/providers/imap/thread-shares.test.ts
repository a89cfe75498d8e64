import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { MailUnavailable } from '../provider.ts';
import { ThreadShares } from './thread-shares.ts';

/** Four threads, and the sessions that hold them. */
class Threads {
  readonly #shares = new ThreadShares(4);
  readonly running: string[] = [];
  readonly #ends = new Map<string, (workMs: number) => void>();

  /** A session that holds its thread until its signal aborts, or `end` is called. */
  begin(session: string, signal = new AbortController().signal): Promise<unknown> {
    const [workspace = ''] = session.split('-');
    const held = this.#shares.take(workspace, signal, async (turn) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      turn.signal.addEventListener('abort', () => reject(turn.signal.reason));
      this.running.push(session);
      this.#ends.set(session, (workMs) => {
        turn.workMs = workMs;
        resolve();
      });
      await promise.finally(() => this.running.splice(this.running.indexOf(session), 1));
    });
    return held.catch((error) => error);
  }

  end(session: string, workMs = 50): void {
    this.#ends.get(session)!(workMs);
  }
}

let threads: Threads;
beforeEach(() => {
  jest.useFakeTimers();
  threads = new Threads();
});
afterEach(() => {
  jest.useRealTimers();
});
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('of four threads', () => {
  test('a Workspace alone gets half, others find one, and the next goes to the one that waits longest', async () => {
    for (const session of ['a-1', 'a-2', 'a-3', 'b-1', 'c-1', 'd-1', 'e-1']) threads.begin(session);
    await pass(0);
    expect(threads.running).toEqual(['a-1', 'a-2', 'b-1', 'c-1']);
    threads.end('a-1');
    await pass(0);
    expect(threads.running).toEqual(['a-2', 'b-1', 'c-1', 'd-1']);
    threads.end('c-1');
    await pass(0);
    expect(threads.running).toEqual(['a-2', 'b-1', 'd-1', 'e-1']);
  });

  test('a session that gets none before its time ends is refused, and no thread is lost', async () => {
    const time = new AbortController();
    for (const session of ['a-1', 'b-1', 'c-1', 'd-1']) threads.begin(session);
    const refused = threads.begin('e-1', time.signal);
    await pass(0);
    time.abort();
    expect(await refused).toBeInstanceOf(MailUnavailable);
    threads.end('a-1');
    threads.begin('f-1');
    await pass(0);
    expect(threads.running).toEqual(['b-1', 'c-1', 'd-1', 'f-1']);
  });

  test('slow Workspaces have half: their longest session ends for a Workspace without one', async () => {
    const slow = ['a-1', 'b-1', 'c-1', 'd-1'].map((session) => threads.begin(session));
    threads.begin('e-1');
    await pass(2_900);
    expect(threads.running).toEqual(['a-1', 'b-1', 'c-1', 'd-1']);
    await pass(400);
    expect(threads.running).toEqual(['b-1', 'c-1', 'd-1', 'e-1']);
    expect(await slow[0]).toMatchObject({ code: 'too slow' });
    threads.begin('f-1');
    await pass(300);
    expect(threads.running).toEqual(['c-1', 'd-1', 'e-1', 'f-1']);

    // A slow Workspace waits while half of the threads have slow sessions, and others do not.
    threads.end('e-1');
    threads.end('f-1');
    for (const session of ['a-2', 'g-1']) threads.begin(session);
    await pass(1_000);
    expect(threads.running).toEqual(['c-1', 'd-1', 'g-1']);
    threads.end('c-1');
    await pass(0);
    expect(threads.running).toEqual(['d-1', 'g-1', 'a-2']);
  });

  test('after a session that took much work, its Workspace and others like it wait ten times as long, for ten minutes', async () => {
    for (const session of ['a-1', 'b-1', 'c-1']) threads.begin(session);
    await pass(0);
    for (const session of ['a-1', 'b-1', 'c-1']) threads.end(session, 450);
    await pass(0);
    for (const session of ['a-2', 'b-2', 'c-2', 'd-1']) threads.begin(session);
    await pass(0);
    expect(threads.running).toEqual(['d-1']);
    // A Workspace that was only slow does not wait.
    await pass(4_000);
    threads.end('d-1');
    threads.begin('d-2');
    await pass(0);
    expect(threads.running).toEqual(['d-2']);
    threads.end('d-2');
    await pass(9_000);
    expect(threads.running).toEqual([]);
    await pass(1_000);
    expect(threads.running).toEqual(['a-2', 'b-2']);

    for (const session of ['a-2', 'b-2']) threads.end(session);
    await pass(580_000);
    threads.end('c-2', 1_000);
    await pass(0);
    threads.begin('b-3');
    await pass(5_000);
    expect(threads.running).toEqual([]);
  });

  test('a Workspace that was slow gets its share again after a minute', async () => {
    for (const session of ['a-1', 'b-1']) threads.begin(session);
    await pass(4_000);
    for (const session of ['a-1', 'b-1']) threads.end(session);
    await pass(0);
    for (const session of ['a-2', 'a-3', 'b-2']) threads.begin(session);
    await pass(0);
    expect(threads.running).toEqual(['a-2', 'a-3']);
    threads.end('a-2');
    threads.end('a-3');
    await pass(0);
    threads.end('b-2');
    await pass(61_000);
    for (const session of ['a-4', 'a-5', 'b-3']) threads.begin(session);
    await pass(0);
    expect(threads.running).toEqual(['a-4', 'a-5', 'b-3']);
  });
});
