import type { OperationContext } from '@action-platform/service-host';
import type { FileGroup } from './stored-file.ts';

const scopes = [
  { scope: 'company', label: 'Company Files' },
  { scope: 'personal', label: 'Personal Files' },
] as const;

/** The groups of files that a caller sees, in the order of the listing: those of the Workspace, then those of the acting Member. A routine grant sees the groups that it lists. */
export function visibleGroups({ principal, granted }: OperationContext) {
  const { workspaceId, userId } = principal;
  return scopes
    .filter(({ scope }) => granted?.includes(scope) ?? true)
    .map(({ scope, label }) => {
      const group: FileGroup = { workspaceId, owner: scope === 'company' ? null : userId };
      return { scope, label, group };
    });
}
