import { LRUCache } from 'lru-cache';
import type { DescribedOperation } from './described-operation.ts';

/** How many bytes the kept definitions have, as JSON; their descriptions take several times as much. A Workspace has a part of them. */
const MAX_BYTES = { all: 6 * 1024 * 1024, ofWorkspace: 2 * 1024 * 1024 };

/** A custom operation at a revision. */
export interface NamedRevision {
  readonly workspaceId: string;
  readonly id: string;
  readonly revision: number;
}

interface CachedText {
  readonly revision: number;
  readonly described: DescribedOperation;
}

/** The descriptions of custom operations that were used last, at one revision each. No Workspace displaces the descriptions of all others. */
export class KeptDescriptions {
  readonly #workspaces = new LRUCache<string, LRUCache<string, CachedText>>({ maxSize: MAX_BYTES.all });

  get({ workspaceId, id, revision }: NamedRevision): DescribedOperation | undefined {
    const kept = this.#workspaces.get(workspaceId)?.get(id);
    return kept?.revision === revision ? kept.described : undefined;
  }

  /** @param size of its definition, in bytes. */
  set({ workspaceId, id, revision }: NamedRevision, described: DescribedOperation, size: number): void {
    const own = this.#workspaces.get(workspaceId) ?? new LRUCache({ maxSize: MAX_BYTES.ofWorkspace });
    own.set(id, { revision, described }, { size });
    // The cache takes no new size for a value that it has already.
    this.#workspaces.delete(workspaceId);
    this.#workspaces.set(workspaceId, own, { size: own.calculatedSize });
  }
}
