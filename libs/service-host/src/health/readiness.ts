import { soon } from './soon.ts';

/** What a process does not have just now, by names that say what to look at. */
export interface Missing {
  /** What it cannot do its work without. */
  readonly needed: readonly string[];
  /** What it can do only a part of its work without. */
  readonly other?: readonly string[];
}

/** What is told to who asks whether a process is ready. */
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

  /** It has started. @param look finds out what is missing; when it fails or takes long, nobody knows what. */
  started(look: () => Promise<Missing>): void {
    this.#look = look;
  }

  /** It is about to stop, and what it has is no matter any more. */
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
