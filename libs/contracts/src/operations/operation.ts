import { z } from 'zod';
import type { ConnectedApp, DataKind, Role } from '../authority/principal.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import type { Effect } from '../errors/groups.ts';
import { timestamp } from '../schema/fields.ts';
import type { BusUser, ServiceName } from '../services.ts';

/**
 * Whether a request may be made again when nobody knows what became of it: `always`, because the second time changes
 * nothing, or `by_key`, when it carries the idempotency key of the first.
 */
export type Idempotency = 'always' | 'by_key';

/** That an operation will go away: since when it should not be used, when it ends, and what to use instead. */
export const deprecation = z.strictObject({
  deprecatedAt: timestamp,
  sunsetAt: timestamp,
  migration: z
    .strictObject({
      operationId: z.string().optional().meta({ description: 'The operation to use instead.' }),
      note: z.string().optional(),
    })
    .optional(),
});
export type Deprecation = z.output<typeof deprecation>;

/** Who may call an operation: any Member, or only an Owner. */
export const availability = z.enum(['workspace_member', 'owner_workspace']);
type Availability = z.output<typeof availability>;

/** What a call reaches of the data that a routine grant may be limited to. */
interface DataScope<Input> {
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
  /** Stable identifier. */
  readonly id: string;
  /** The service that serves it. */
  readonly service: ServiceName;
  /** The only ones who may call it over the bus. */
  readonly callers: readonly BusUser[];
  readonly title: string;
  readonly description: string;
  readonly availability: Availability;
  /** The app that the Member must have connected. */
  readonly app?: ConnectedApp;
  /** The role that needs no connected app. */
  readonly appNotNeededBy?: Role;
  /** A `read` that fails has done nothing; of a failed `write` the outcome may be unknown. */
  readonly effect: Effect;
  /** Whether a caller who does not know the outcome may make the same call again. */
  readonly idempotent: Idempotency;
  readonly input: Input;
  /** The fields of `input` that have a meaning on scheduled calls alone. */
  readonly scheduledFields?: readonly string[];
  /** An input to begin with, as the API reference shows it. */
  readonly example: Readonly<Record<string, unknown>>;
  readonly output: Output;
  /** What a call can come to, as the API reference shows it. */
  readonly exampleResult: Readonly<Record<string, unknown>>;
  /** The outcome of a result that is answered with 200 and is no success; undefined for a success. */
  outcome?(result: z.output<Output>): 'failed' | 'unknown' | undefined;
  /** The codes that this operation adds to those every operation can answer with. */
  readonly errors: readonly ErrorCode[];
  readonly dataScope?: DataScope<z.output<Input>>;
  readonly deprecation?: Deprecation;
}

/** Declares an operation, by default with the gateway as its only caller; `declared.ts` lists it. */
export function defineOperation<Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Omit<Operation<Input, Output>, 'callers'> & Partial<Pick<Operation, 'callers'>>,
): Operation<Input, Output> {
  return { callers: ['gateway'], ...operation };
}
