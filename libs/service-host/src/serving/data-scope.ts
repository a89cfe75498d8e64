import { jobOf } from '@action-platform/contracts/authority';
import { ActionError } from '@action-platform/contracts/errors';
import type { Operation } from '@action-platform/contracts/operations';
import type { OperationContext } from './context.ts';
import { type DataLookUps, describedCollections } from './named-collections.ts';

/**
 * The ids of the operation's kind of data that a call may reach; undefined when nothing is limited. Refuses a
 * call that reaches data its grant does not list (`grant_data_scope_exceeded`). `requireDataInScope` runs before every handler, so no
 * handler can omit it.
 */
export async function requireDataInScope(
  { dataScope }: Operation,
  input: unknown,
  { grants, collections }: DataLookUps,
  context: OperationContext,
): Promise<readonly string[] | undefined> {
  const { routine, workspaceId } = context.principal;
  if (routine === undefined || dataScope === undefined) return undefined;
  const granted: readonly string[] = (await grants.of(routine.id, context))[dataScope.kind] ?? [];
  const refused = dataScope.reached?.(input as never).find((id) => !granted.includes(id));
  if (refused !== undefined) {
    const first = granted.slice(0, NAMED);
    const named =
      dataScope.kind === 'collectionIds'
        ? await describedCollections(first, workspaceId, collections, context)
        : first;
    throw new ActionError('grant_data_scope_exceeded', {
      message: `The grant does not list this in ${dataScope.kind}. It lists ${namesOrCount(named, granted)}.`,
    });
  }
  const outputDefinition = dataScope.outputDefinition?.(input as never);
  if (
    jobOf(context.principal) &&
    outputDefinition !== undefined &&
    outputDefinition !== routine.outputDefinition
  ) {
    throw new ActionError('grant_data_scope_exceeded', {
      message: `The grant was created for another output_definition: ${JSON.stringify(routine.outputDefinition)}.`,
    });
  }
  return granted;
}

/** The most ids that a refusal names. */
const NAMED = 20;

function namesOrCount(named: readonly string[], { length }: readonly string[]): string {
  if (length === 0) return 'none';
  return `${named.join(', ')}${length > NAMED ? ` and ${length - NAMED} more` : ''}`;
}
