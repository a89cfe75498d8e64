import { ActionError, type Operation, type Principal } from '@action-platform/contracts';

/**
 * Refuses a scheduled call that reaches data its routine grant does not list (`grant_data_scope_exceeded`).
 * It stands before every handler, so none can forget it.
 */
export function requireDataInScope(operation: Operation, input: unknown, principal: Principal): void {
  const { routine } = principal;
  const scope = operation.dataScope;
  if (routine === undefined || scope === undefined) return;
  const allowed: readonly string[] = routine.data[scope.kind] ?? [];
  const refused = scope.reached?.(input as never).find((id) => !allowed.includes(id));
  if (refused !== undefined) {
    throw new ActionError('grant_data_scope_exceeded', {
      message: `The grant does not list this in ${scope.kind}.`,
    });
  }
  const outputDefinition = scope.outputDefinition?.(input as never);
  if (outputDefinition !== undefined && outputDefinition !== routine.outputDefinition) {
    throw new ActionError('grant_data_scope_exceeded', {
      message: 'The grant was created for another output_definition.',
    });
  }
}
