import { listVisibleFiles, type Principal } from '@action-platform/contracts';
import { type OperationContext, type ServedOperation, serveOperation } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import type { Files, VisibleFile } from '../files/files.ts';

/** The groups in the order in which they are listed: what callers see them called, and whose files they hold. */
const groups = [
  { scope: 'company', label: 'Company Files', ownerOf: () => null },
  { scope: 'personal', label: 'Personal Files', ownerOf: ({ userId }: Principal) => userId },
] as const;

/** What callers see of a group; its files stream. */
interface VisibleFileGroup {
  readonly label: (typeof groups)[number]['label'];
  readonly files: AsyncIterable<VisibleFile>;
}

/**
 * `knowledge.list_visible_files`: the files of the caller's Workspace, then those of the Member the call acts
 * for. A job is shown the groups that its grant lists and no other. Files stream from the database, so a group may be of
 * any size.
 */
export function serveListVisibleFiles({ files }: Dependencies): ServedOperation {
  return serveOperation(listVisibleFiles, async (input, context) => {
    const { granted } = context;
    const listed = groups.filter(
      ({ scope }) =>
        (input.scope === 'all' || input.scope === scope) &&
        (granted === undefined || granted.includes(scope)),
    );
    return { groups: describeGroups(listed, files, context) };
  });
}

async function* describeGroups(
  listed: readonly (typeof groups)[number][],
  files: Files,
  context: OperationContext,
): AsyncGenerator<VisibleFileGroup> {
  const { principal } = context;
  for (const { label, ownerOf } of listed) {
    const group = { workspaceId: principal.workspaceId, owner: ownerOf(principal) };
    yield { label, files: files.list(group, context) };
  }
}
