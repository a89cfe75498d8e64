import { operationsNamed } from '../ids/tool-name.ts';
import { errorCatalogue, isErrorCode } from './catalogue.ts';

/** The permissions of a grant, as far as a step depends on them. */
export interface Permissions {
  readonly operations: readonly string[];
  readonly routine?:
    | {
        readonly data: { readonly senderIds?: readonly string[] | undefined };
        readonly outputDefinition?: string | undefined;
      }
    | undefined;
}

/** An error, as far as its step goes. */
interface Step {
  readonly code: string;
  readonly recoverable: boolean;
  readonly next: string;
}

const ASK_MEMBER =
  'Ask the Member whose grant this is: the step that helps needs a call that the grant does not allow.';

/** The most values that a step names. */
const NAMED = 20;

/** Whether the step of an error depends on the permissions of its caller. */
export function dependsOnPermissions({ code, next }: Pick<Step, 'code' | 'next'>): boolean {
  return grantedFieldOf(code) !== undefined || operationsNamed(next).length > 0;
}

/**
 * An error with the step that the holder of a grant can take. A value that a routine grant limits is in the step itself. Where the step
 * needs an operation that the grant does not allow, another person has to act.
 */
export function withPossibleStep<Error extends Step>(
  error: Error,
  { operations, routine }: Permissions,
): Error {
  const field = grantedFieldOf(error.code);
  const values =
    field === 'output_definition'
      ? [routine?.outputDefinition ?? []].flat()
      : (routine?.data.senderIds ?? []);
  if (field !== undefined && values.length > 0) return { ...error, next: `Send ${field}: ${oneOf(values)}.` };
  if (operationsNamed(error.next).every((id) => operations.includes(id))) return error;
  return { ...error, recoverable: false, next: ASK_MEMBER };
}

function grantedFieldOf(code: string) {
  return isErrorCode(code) ? errorCatalogue[code].grantedField : undefined;
}

function oneOf(values: readonly string[]): string {
  if (values.length === 1) return values[0]!;
  const more = values.length > NAMED ? ', or another one that the grant allows' : '';
  return `one of ${values.slice(0, NAMED).join(', ')}${more}`;
}
