import { type DataKind, jobOf } from '@action-platform/contracts/authority';
import type { NamedData } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import type { Operation } from '@action-platform/contracts/operations';
import type { OperationContext } from './context.ts';
import { type DataLookUps, namesOf } from './named-collections.ts';

/**
 * The ids of the operation's kind of data that a call may reach; undefined when nothing is limited. Refuses a
 * call that reaches data its grant does not list (`grant_data_scope_exceeded`). `requireDataInScope` runs before every handler, so no
 * handler can omit it.
 */
export async function requireDataInScope(
  { dataScope }: Operation,
  input: unknown,
  lookUps: DataLookUps,
  context: OperationContext,
): Promise<readonly string[] | undefined> {
  const { routine } = context.principal;
  if (routine === undefined || dataScope === undefined) return undefined;
  const granted: readonly string[] = (await lookUps.grants.of(routine.id, context))[dataScope.kind] ?? [];
  const refused = dataScope.reached?.(input as never).find((id) => !granted.includes(id));
  if (refused !== undefined) {
    const named = await namesOf(dataScope.kind, granted.slice(0, NAMED), lookUps, context);
    throw outsideDataScope('this', dataScope.kind, granted, named);
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

/**
 * The refusal of data that a grant does not list.
 *
 * @param what the data.
 * @param granted the ids that the grant lists of this kind.
 * @param named the names of some of them.
 */
export function outsideDataScope(
  what: string,
  kind: DataKind,
  granted: readonly string[],
  named: readonly NamedData[],
): ActionError {
  const nameOf = new Map(named.map(({ id, name }) => [id, name]));
  const first = granted.slice(0, NAMED).map((id) => (nameOf.has(id) ? `${id}: ${nameOf.get(id)}` : id));
  const more = granted.length > NAMED ? ` and ${granted.length - NAMED} more` : '';
  return new ActionError('grant_data_scope_exceeded', {
    message: `The grant does not list ${what} in ${kind}. It lists ${first.join(', ') || 'none'}${more}.`,
  });
}
