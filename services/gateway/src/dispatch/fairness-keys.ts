import type { FairnessKey } from '@action-platform/admission';
import type { Credential, Principal } from '@action-platform/contracts';
import { LRUCache } from 'lru-cache';

/** How many grants it is remembered of whose they are. */
const REMEMBERED_GRANTS = 10_000;

/** Where grants count to that were not seen yet, the made-up ones among them. */
const NEWCOMERS = '?';

/**
 * Whose share a call counts to. A session names its Workspace; a grant's is known from an earlier call with it. It says
 * nothing about what the caller may do.
 */
export class FairnessKeys {
  readonly #workspaceOf = new LRUCache<string, string>({ max: REMEMBERED_GRANTS });

  of(credential: Credential): FairnessKey {
    if (credential.kind === 'session') {
      const { workspaceId, userId } = credential;
      return { workspace: workspaceId, caller: `${workspaceId} ${userId}` };
    }
    const { secretHash } = credential;
    return { workspace: this.#workspaceOf.get(secretHash) ?? NEWCOMERS, caller: secretHash };
  }

  /** Remembers whose grant it is that a call was authorized with; `principal` is the JSON text of a Principal. */
  learn(credential: Credential, principal: string): void {
    if (credential.kind === 'session' || this.#workspaceOf.has(credential.secretHash)) return;
    const { workspaceId } = JSON.parse(principal) as Principal;
    this.#workspaceOf.set(credential.secretHash, workspaceId);
  }
}
