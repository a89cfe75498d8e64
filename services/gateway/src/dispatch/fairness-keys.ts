import { type FairnessKey, NEWCOMERS } from '@action-platform/admission';
import type { Credential } from '@action-platform/contracts/calls';
import { LRUCache } from 'lru-cache';

/** The capacity of the cache of grants' Workspaces. */
const REMEMBERED_GRANTS = 10_000;

type GrantCredential = Extract<Credential, { kind: 'grant' }>;

/**
 * The fairness key of a credential. A session names its Workspace; the Workspace of a grant is cached from an earlier call. The
 * key implies no authority.
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

  /** Whether grants has known the secret with this hash. */
  knows(secretHash: string): boolean {
    return this.#workspaceOf.has(secretHash);
  }

  /** Remembers the Workspace of the grant that grants found for a secret. */
  learn({ secretHash }: GrantCredential, workspaceId: string): void {
    this.#workspaceOf.set(secretHash, workspaceId);
  }
}
