import { z } from 'zod';
import type { ConnectedApp, DataKind, Role } from '../authority/principal.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import type { DeclaredRefusal } from '../errors/declared-refusal.ts';
import { exampleOf } from '../schema/example.ts';
import { field, timestamp } from '../schema/fields.ts';
import { idempotencyKeyField } from '../schema/request-headers.ts';
import { serviceOf } from '../services/services.ts';
import { type Call, type Declared, operationSubject } from './call.ts';

/** The deprecation notice of an operation: when it was deprecated, when it ends, and its replacement. */
export const deprecation = z.strictObject({
  deprecatedAt: timestamp,
  sunsetAt: timestamp,
  migration: z
    .strictObject({
      operationId: field(z.string().optional(), 'The operation to use instead.'),
      note: z.string().optional(),
    })
    .optional(),
});
export type Deprecation = z.output<typeof deprecation>;

/** The callers of an operation: any Member, or only an Owner. */
export const availability = z.enum(['workspace_member', 'owner_workspace']);
type Availability = z.output<typeof availability>;

/** The data in a call's input that a routine grant may be limited to. */
interface DataScope<Input> {
  readonly kind: DataKind;
  /**
   * The ids in an input that a grant must list; otherwise the service host refuses the call. Listings have none: they return
   * only data within the scope of the grant.
   */
  reached?(input: Input): readonly string[];
  /** The output definition in an input, which must be the grant's own. */
  outputDefinition?(input: Input): string | undefined;
}

/** A call by its own name, for Members and grants: grants authorizes each, and the service host enforces the data scope of the grant. */
export interface Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType>
  extends Call<Input, Output> {
  readonly audience: 'operation';
  readonly title: string;
  readonly description: string;
  readonly availability: Availability;
  /** The app that the Member must have connected. */
  readonly app?: ConnectedApp;
  /** The role that may call it without a connected app. */
  readonly appNotNeededBy?: Role;
  /**
   * Set for a listing with `cursor`, `wait_seconds` and `next_cursor`: while it has nothing new, the gateway waits and asks again. Its
   * service answers at once, with `busHeaders.feed`.
   */
  readonly waits?: true;
  /**
   * Set for a bulk call, which does the work of many: the call waits in a queue of its own, and its handler works in turns, so that other
   * calls do not wait for it.
   */
  readonly isBulk?: true;
  /** Set when its effect cannot be undone. */
  readonly isDestructive?: true;
  /** The fields of `input` that only scheduled calls use. */
  readonly scheduledFields?: readonly string[];
  /** Missing where those in the schema of a custom operation contradict it. */
  readonly example?: Example | undefined;
  readonly exampleResult?: Example | undefined;
  /** The outcome of a result with status 200 that is not a success; undefined for a success. */
  outcome?(result: z.output<Output>): 'failed' | 'unknown' | undefined;
  /** The error codes of this operation beside those of every operation. */
  readonly errors: readonly ErrorCode[];
  /** Undefined when it reaches no data that a routine grant may be limited to. */
  readonly dataScope: DataScope<z.output<Input>> | undefined;
  readonly deprecation?: Deprecation;
  /** Set for a custom operation: the revision of its definition, and the errors that its endpoint may answer with. */
  readonly custom?: { readonly revision: number; readonly refusals: readonly DeclaredRefusal[] };
}

type Example = Readonly<Record<string, unknown>>;

/** An operation of the platform, which has examples. */
export type DeclaredOperation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
> = Operation<Input, Output> & { readonly example: Example; readonly exampleResult: Example };

/** The fields that few operations state. */
type ByDefault = 'service' | 'availability' | 'idempotent' | 'example' | 'errors';

/**
 * Declares an operation; `declared.ts` lists it. By default any Member may call the operation, through the gateway alone; the operation has
 * no errors of its own, and its example follows from those of its fields. A call is safe to repeat with its idempotency key, or at any time
 * when its input has none.
 */
export function defineOperation<Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Declared<DeclaredOperation<Input, Output>, ByDefault> & Partial<Pick<Operation, ByDefault>>,
): DeclaredOperation<Input, Output> {
  const { id, service = serviceOf(id) } = operation;
  return {
    availability: 'workspace_member',
    idempotent: idempotencyKeyField(operation.input) === undefined ? 'always' : 'by_key',
    errors: [],
    ...operation,
    service,
    callers: ['gateway'],
    example: exampleOf(operation.input, operation.example),
    audience: 'operation',
    subject: operationSubject({ service, id }),
  };
}
