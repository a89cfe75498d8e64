import { type FairnessKey, NEWCOMERS } from '@action-platform/admission';
import type { Credential } from '@action-platform/contracts/calls';
import { LRUCache } from 'lru-cache';

/** The capacity of the cache of grants. */
const REMEMBERED_GRANTS = 10_000;

type GrantCredential = Extract<Credential, { kind: 'grant' }>;

/** A grant that grants has known. */
interface KnownGrant extends FairnessKey {
  /** Its holder, as grants wrote it (JSON text). */
  readonly holder: string | undefined;
}

/**
 * The fairness key of a credential. A session names its Workspace; a secret's grant and Workspace are cached from an earlier call, so that
 * all access tokens of a grant share its key. The key implies no authority.
 */
export class FairnessKeys {
  readonly #known = new LRUCache<string, KnownGrant>({ max: REMEMBERED_GRANTS });

  of(credential: Credential): FairnessKey {
    if (credential.kind === 'session') {
      const { workspaceId, userId } = credential;
      return { workspace: workspaceId, caller: `${workspaceId} ${userId}` };
    }
    const { secretHash } = credential;
    return this.#known.get(secretHash) ?? { workspace: NEWCOMERS, caller: secretHash };
  }

  /** Whether grants has known the secret with this hash. */
  knows(secretHash: string): boolean {
    return this.#known.has(secretHash);
  }

  /** The holder of a grant (JSON text), as far as an earlier call told; a holder implies no authority. */
  holderOf(credential: Credential): string | undefined {
    return credential.kind === 'grant' ? this.#known.get(credential.secretHash)?.holder : undefined;
  }

  /** Remembers the grant that grants found for a secret. */
  learn(
    { secretHash }: GrantCredential,
    { workspace, caller = secretHash, holder }: Partial<KnownGrant> & Pick<FairnessKey, 'workspace'>,
  ): void {
    this.#known.set(secretHash, { workspace, caller, holder });
  }
}
