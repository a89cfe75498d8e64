import type { FairnessKey } from '@action-platform/admission';
import type { Credential } from '@action-platform/contracts';
import { LRUCache } from 'lru-cache';

interface Caller {
  readonly credential: Credential;
  readonly fairnessKey: FairnessKey;
}

/** How many callers have an expected principal. */
const MOST = 10_000;

/**
 * The principal that grants established for the last call of each session's caller; no caller that it refused last has one. It gives no
 * authority: see {@link SpeculativeRead}.
 */
export class ExpectedPrincipals {
  readonly #last = new LRUCache<string, string>({ max: MOST });

  /** The expected principal of a caller's call (JSON text), if any. */
  of({ fairnessKey }: Caller): string | undefined {
    return this.#last.get(fairnessKey.caller);
  }

  /** Expects the same of a caller's next call; undefined after a refusal. */
  expect({ credential, fairnessKey }: Caller, principal: string | undefined): void {
    if (credential.kind === 'session') this.#last.set(fairnessKey.caller, principal);
  }
}
