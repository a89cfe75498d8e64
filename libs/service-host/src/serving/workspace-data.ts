import { isService } from '@action-platform/contracts/bus';
import { eraseCall, exportCall, storesCall, type Timed } from '@action-platform/contracts/calls';
import type { BusUser } from '@action-platform/contracts/services';
import { stringifyJson } from '@action-platform/json';
import {
  type Database,
  type ErasedPart,
  type ErasureTarget,
  erasePart,
  exportFrom,
  hasDocuments,
  type StoredDocuments,
} from '@action-platform/mongo';
import { type ServedCall, serveCall } from './serve.ts';

/** The stored data of a service about Workspaces. */
export interface StoredData {
  readonly db: Database['db'];
  /** The service's collections, in the order of an export and of an erasure. */
  readonly documents: readonly StoredDocuments[];
  /** Removes a user from documents that stay, before those of the user alone are deleted; returns how many it changed. */
  readonly eraseMember?: (workspaceId: string, userId: string, timed: Timed) => Promise<number>;
  /** Whether the service stores anything of a Workspace that exists or existed; by default, whether it has any document of it. */
  readonly isStored?: (workspaceId: string, timed: Timed) => Promise<boolean>;
}

/** The size from which a page of an export ends: far below the largest answer to an operator. A page also ends after half of its time. */
const PAGE_BYTES = 512 * 1024;
const PAGE_LINES = 2_000;

/** Erases a part of a Workspace, or of a user in it, from the data of a service; the caller repeats it until it is done. */
export async function eraseStored(
  { db, documents, eraseMember }: StoredData,
  target: ErasureTarget,
  timed: Timed,
): Promise<ErasedPart> {
  const { workspaceId, userId } = target;
  const changed = userId === undefined ? 0 : await eraseMember?.(workspaceId, userId, timed);
  const { isDone, removed } = await erasePart(db, documents, target, timed);
  return { isDone, removed: removed + (changed ?? 0) };
}

/** Whether a service stores anything of a Workspace. */
export async function storesAny(
  { db, documents, isStored }: StoredData,
  workspaceId: string,
  timed: Timed,
): Promise<boolean> {
  return await (isStored?.(workspaceId, timed) ?? hasDocuments(db, documents, workspaceId, timed));
}

/**
 * Reads a page of an export.
 *
 * @param after the `next` of the page before.
 * @param until when the page ends, also without a line, in milliseconds of `performance.now()`.
 */
export async function pageOfExport(
  { db, documents }: Pick<StoredData, 'db' | 'documents'>,
  workspaceId: string,
  after: string | undefined,
  until: number,
  timed: Timed,
): Promise<{ readonly lines: string[]; readonly next: string | null }> {
  const lines: string[] = [];
  let bytes = 0;
  for await (const { line, next } of exportFrom(db, documents, workspaceId, after, timed)) {
    if (line !== undefined) {
      // Line ends in a payload are white space between its values.
      const text = stringifyJson(line).replaceAll(/[\n\r]/g, ' ');
      lines.push(text);
      bytes += Buffer.byteLength(text);
    }
    const isFull = bytes >= PAGE_BYTES || lines.length >= PAGE_LINES;
    if (isFull || performance.now() > until) return { lines, next: next() };
  }
  return { lines, next: null };
}

/** Serves the calls with which operators export the data of a Workspace, and grants erases it. */
export function serveWorkspaceData(name: BusUser, stored: StoredData | undefined): ServedCall[] {
  if (!isService(name) || stored === undefined) return [];
  const exporting = serveCall(exportCall(name), ({ workspace, after }, context) =>
    pageOfExport(stored, workspace, after, (performance.now() + context.deadline) / 2, context),
  );
  if (name === 'grants') return [exporting];
  const erasing = serveCall(eraseCall(name), (target, context) => eraseStored(stored, target, context));
  const looking = serveCall(storesCall(name), async ({ workspaceId }, context) => ({
    isStored: await storesAny(stored, workspaceId, context),
  }));
  return [exporting, erasing, looking];
}
