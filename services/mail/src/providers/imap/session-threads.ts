import { SessionThread } from './session-thread.ts';
import type { SessionTask } from './thread/task.ts';
import { ThreadShares, type Turn } from './thread-shares.ts';

/** The threads of a process. With full heaps they fit the memory limit of the container beside the rest of the service. */
const THREADS = 4;

/**
 * The threads of the sessions with mail servers. The client in them parses what a stranger sends, so that each can be ended whatever it
 * does: when the call ends, or when its session takes too much work or memory. A session has a thread for itself.
 */
export class SessionThreads {
  readonly #shares = new ThreadShares(THREADS);
  readonly #resting: SessionThread[] = [];

  /**
   * Serves a session in a thread, and returns what the thread reports about its end.
   *
   * @param workspaceId whose share of the threads it takes.
   * @throws MailUnavailable when the session ended before its work began, or got no thread: nothing was done. Later the reason of the
   *   signal, or ImapFailure when the session was ended.
   */
  async serve(workspaceId: string, task: SessionTask, signal: AbortSignal): Promise<unknown> {
    return await this.#shares.take(workspaceId, signal, async (turn) => {
      const thread = this.#next(turn);
      try {
        const reported = await thread.serve(task, turn.signal);
        if (thread.hasLowPriority) await this.#replace(thread);
        else this.#rest(thread);
        return reported;
      } catch (error) {
        await this.#replace(thread);
        throw error;
      } finally {
        turn.workMs = thread.workMs;
      }
    });
  }

  /** The thread that has compiled most of its code; the other way round for a slow Workspace, whose session may end its thread. */
  #next({ isSlow }: Turn): SessionThread {
    this.#resting.sort((one, other) => one.served - other.served);
    return (isSlow ? this.#resting.shift() : this.#resting.pop()) ?? this.#start();
  }

  /** Ends a thread. The start of another one takes longer than a session, so it does not wait for the next session. */
  async #replace(thread: SessionThread): Promise<void> {
    await thread.end();
    this.#rest(this.#start());
  }

  #rest(thread: SessionThread): void {
    this.#resting.push(thread);
    thread.rest();
  }

  #start(): SessionThread {
    const thread = new SessionThread(() => {
      const index = this.#resting.indexOf(thread);
      if (index >= 0) this.#resting.splice(index, 1);
    });
    return thread;
  }
}
