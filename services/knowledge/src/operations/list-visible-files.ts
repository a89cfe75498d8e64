import { listVisibleFiles, type Principal } from '@action-platform/contracts';
import { type ServedOperation, serveOperation } from '@action-platform/service-host';
import type { Files, VisibleFile } from '../files/files.ts';

/** What callers see of a group; its files stream. */
interface VisibleFileGroup {
  readonly label: 'Company Files' | 'Personal Files';
  readonly files: AsyncIterable<VisibleFile>;
}

/**
 * `knowledge.list_visible_files`: the files of the caller's Workspace, then those of the Member the call acts
 * for. They stream from the database, so a group may be of any size.
 */
export function serveListVisibleFiles(files: Files): ServedOperation {
  return serveOperation(listVisibleFiles, async ({ scope }, { principal }) => ({
    groups: visibleGroups(files, principal, scope),
  }));
}

async function* visibleGroups(
  files: Files,
  { workspaceId, userId }: Principal,
  scope: 'company' | 'personal' | 'all',
): AsyncGenerator<VisibleFileGroup> {
  if (scope !== 'personal') {
    yield { label: 'Company Files', files: files.list({ workspaceId, owner: null }) };
  }
  if (scope !== 'company') {
    yield { label: 'Personal Files', files: files.list({ workspaceId, owner: userId }) };
  }
}
