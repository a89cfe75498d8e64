import { z } from 'zod';
import type { ConnectedApp, DataKind } from '../authority/principal.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import type { Deprecation } from './deprecation.ts';

/** Who may call an operation: any Member, or only an Owner. */
export const availability = z.enum(['workspace_member', 'owner_workspace']);
export type Availability = z.output<typeof availability>;

/** What a call reaches of the data that a routine grant may be limited to. */
export interface DataScope<Input> {
  readonly kind: DataKind;
  /**
   * The ids in an input that a grant must list; the service host refuses the call otherwise. Left out by
   * listings, which narrow what they return to the grant instead.
   */
  reached?(input: Input): readonly string[];
  /** The output definition in an input, which must be the grant's own. */
  outputDefinition?(input: Input): string | undefined;
}

/** Everything there is to know about an operation, declared once. */
export interface Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  /** Stable identifier; the part before the dot names the service that serves it. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly availability: Availability;
  /** The app that the Member must have connected. */
  readonly app?: ConnectedApp;
  /** A `read` that fails has done nothing; of a failed `write` the outcome may be unknown. */
  readonly effect: 'read' | 'write';
  readonly input: Input;
  /** An input to begin with, as the API reference shows it. */
  readonly example: Readonly<Record<string, unknown>>;
  readonly output: Output;
  /** The codes that this operation adds to those every operation can answer with. */
  readonly errors: readonly ErrorCode[];
  readonly dataScope?: DataScope<z.output<Input>>;
  readonly deprecation?: Deprecation;
}

/** Declares an operation; it becomes real by being listed in `registry.ts`. */
export function defineOperation<Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> {
  return operation;
}

/** The service that serves an operation: `record_store.push_record` → `record-store`. */
export function serviceOf(operationId: string): string {
  return operationId.slice(0, operationId.indexOf('.')).replaceAll('_', '-');
}
