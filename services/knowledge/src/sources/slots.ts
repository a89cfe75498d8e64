import { SourceUnread } from './file-source.ts';

/**
 * Runs a few calls at once; further calls wait in order. A call keeps its slot until the call settles, also beyond its time, so calls of
 * a mounted volume that hangs occupy no more threads of libuv than `Slots` has slots. The whole process shares four threads.
 */
export class Slots {
  #free: number;
  /** The starts of the waiting calls. */
  readonly #waiting = new Set<() => Promise<void>>();

  constructor(count: number) {
    this.#free = count;
  }

  /** The result of a call. @throws SourceUnread when the time of the call is over first */
  async run<Result>(call: () => Promise<Result>, time: AbortSignal): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const start = async () => {
      this.#free--;
      await call().then(resolve, reject);
      this.#free++;
      const [next] = this.#waiting;
      if (next === undefined) return;
      this.#waiting.delete(next);
      void next();
    };
    const end = () => {
      this.#waiting.delete(start);
      reject(new SourceUnread('TimeoutError'));
    };
    if (time.aborted) end();
    else if (this.#free === 0) this.#waiting.add(start);
    else void start();
    time.addEventListener('abort', end, { once: true });
    try {
      return await promise;
    } finally {
      time.removeEventListener('abort', end);
    }
  }
}
