import type { PublishedEntry } from '@action-platform/contracts/audit';
import type { Effect } from '@action-platform/contracts/errors';
import { isIdOf } from '@action-platform/contracts/ids';
import type { ObservedCall } from '../serving/context.ts';
import type { AuditTrail } from './audit-trail.ts';

/** The fields of a command's input that name what it is about. */
const TARGET_FIELDS = ['user', 'grant', 'sender'];

/** Takes an operator's command for the audit log of its Workspace; a command without a Workspace has no entry. */
export function auditCommand(
  trail: AuditTrail,
  { name, effect }: { readonly name: string; readonly effect: Effect },
  outcome: ObservedCall,
): void {
  const entry = entryOf(name, outcome);
  const { operator = '', error } = outcome;
  const caller = `operator ${workspaceOf(outcome)} ${operator}`;
  if (error !== undefined) trail.refused(caller, name, error.code, entry);
  else if (effect === 'write') trail.wrote(entry);
  else trail.read(caller, name, entry);
}

function entryOf(operation: string, outcome: ObservedCall): () => PublishedEntry | undefined {
  const { operator = 'operator', requestId, input, error, isReplay } = outcome;
  const at = new Date().toISOString();
  const workspace_id = workspaceOf(outcome);
  const given = (input ?? {}) as Readonly<Record<string, unknown>>;
  const named = TARGET_FIELDS.map((field) => given[field]).filter((value) => typeof value === 'string');
  if (workspace_id === undefined) return () => undefined;
  return () => ({
    workspace_id,
    at,
    request_id: requestId,
    user_id: operator,
    via: 'operator',
    operation,
    targets: [...new Set([...named, ...outcome.targets])],
    status: error?.status ?? 200,
    code: error?.code ?? 'ok',
    replayed: isReplay,
    answered: true,
  });
}

/** The Workspace that a command names or made. */
function workspaceOf({ input, targets }: ObservedCall): string | undefined {
  const { workspace } = (input ?? {}) as { readonly workspace?: unknown };
  return typeof workspace === 'string' ? workspace : targets.find((id) => isIdOf('workspace', id));
}
