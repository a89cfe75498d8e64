import { withTimeout } from './with-timeout.ts';

/** The missing dependencies of a process, by names for an operator. */
export interface Missing {
  /** The process cannot work without these. */
  readonly needed: readonly string[];
  /** A part of the process's work fails without these. */
  readonly other?: readonly string[];
}

/** The answer to a readiness probe. */
interface ReadinessReport {
  readonly isReady: boolean;
  readonly status: 'ok' | 'starting' | 'not ready' | 'stopping';
  /** All missing dependencies, the needed ones first; absent when all answer. */
  readonly missing?: readonly string[];
}

const unknown: Missing = { needed: ['an answer in time'] };

/** Whether a process can serve: from the end of its start to the beginning of its stop, while its dependencies answer. */
export class Readiness {
  #check: (() => Promise<Missing>) | undefined;
  #isStopping = false;

  /** The process has started. @param check finds the missing dependencies; after its failure or timeout the dependencies are unknown. */
  started(check: () => Promise<Missing>): void {
    this.#check = check;
  }

  /** The process is about to stop; its dependencies have no effect on readiness any more. */
  stops(): void {
    this.#isStopping = true;
  }

  async report(): Promise<ReadinessReport> {
    if (this.#isStopping) return { isReady: false, status: 'stopping' };
    if (this.#check === undefined) return { isReady: false, status: 'starting' };
    const { needed, other = [] } = await withTimeout(this.#check(), unknown);
    const isReady = needed.length === 0;
    const missing = [...needed, ...other];
    return { isReady, status: isReady ? 'ok' : 'not ready', ...(missing.length > 0 && { missing }) };
  }
}
