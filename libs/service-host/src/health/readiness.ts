import { soon } from './soon.ts';

/** The missing dependencies of a process, by names that say where to look. */
export interface Missing {
  /** Without these it cannot work. */
  readonly needed: readonly string[];
  /** Without these a part of its work fails. */
  readonly other?: readonly string[];
}

/** The answer to a readiness probe. */
interface ReadinessReport {
  readonly isReady: boolean;
  readonly status: 'ok' | 'starting' | 'not ready' | 'stopping';
  /** Everything that is missing, what is needed first; left out when nothing is. */
  readonly missing?: readonly string[];
}

const unknown: Missing = { needed: ['an answer in time'] };

/** Whether a process is to be sent work: from the end of its start to the beginning of its stop, while it has what it needs. */
export class Readiness {
  #look: (() => Promise<Missing>) | undefined;
  #isStopping = false;

  /** The process has started. @param look finds the missing dependencies; when it fails or takes long, they are unknown. */
  started(look: () => Promise<Missing>): void {
    this.#look = look;
  }

  /** The process is about to stop; its dependencies do not matter any more. */
  stops(): void {
    this.#isStopping = true;
  }

  async report(): Promise<ReadinessReport> {
    if (this.#isStopping) return { isReady: false, status: 'stopping' };
    if (this.#look === undefined) return { isReady: false, status: 'starting' };
    const { needed, other = [] } = await soon(this.#look(), unknown);
    const isReady = needed.length === 0;
    const missing = [...needed, ...other];
    return { isReady, status: isReady ? 'ok' : 'not ready', ...(missing.length > 0 && { missing }) };
  }
}
