import type { z } from 'zod';
import type { Effect } from '../errors/groups.ts';
import { type BusUser, type ServiceName, serviceOf } from '../services/services.ts';

/**
 * The callers of a call: any caller with the operation, which grants authorizes for each call; a signed-in Member, by a route of the HTTP
 * interface; another service; an operator, by a command.
 */
type Audience = 'operation' | 'member' | 'service' | 'operator';

/**
 * When a caller may repeat a request with an unknown outcome: `always`, because the second one changes nothing, or
 * `by_key`, with the idempotency key of the first.
 */
type Idempotency = 'always' | 'by_key';

/**
 * The declaration of one thing that a service answers on the bus. An operation, a route for Members and a command are calls with what their callers need to
 * know; validation, routes, permissions on the bus, discovery, the API reference, the admin command, the audit log and the pages follow from
 * the declaration.
 *
 * Both sides tolerate unknown fields in inputs, answers and headers of other processes, so that two versions can run side by side. Only
 * the input of a client is strict.
 */
export interface Call<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  /** Stable name: `record_store.push_record`, `grants.authorize`, `admin.grants.add_member`. */
  readonly id: string;
  readonly audience: Audience;
  readonly service: ServiceName;
  /** The bus users that may publish to its subject. */
  readonly callers: readonly BusUser[];
  /** Where the call is sent on the bus. */
  readonly subject: string;
  /** A failed `read` changed nothing, and the caller may send it to another replica; a failed `write` may have an unknown outcome. */
  readonly effect: Effect;
  readonly idempotent: Idempotency;
  readonly input: Input;
  readonly output: Output;
  /** The ids for the audit log that a call named or made; without a result when it was refused. Other values are left out. */
  targets?(input: z.output<Input>, result?: z.output<Output>): readonly unknown[];
  /** The user ids for the audit log of the Members that a call is about. Any text may be one, so `targets` leaves them out. */
  targetMembers?(input: z.output<Input>): readonly string[];
}

/** The fields of a call that its declaration states, whoever may make it. */
export type Declared<Made extends Call, Derived extends keyof Made = never> = Omit<
  Made,
  'audience' | 'service' | 'subject' | 'callers' | Derived
>;

/** Declares a call between services, which is always safe to repeat; `calls/declared.ts` lists its file. */
export function defineCall<Input extends z.ZodObject, Output extends z.ZodType>(
  call: Declared<Call<Input, Output>, 'idempotent'> & Pick<Call, 'callers'>,
): Call<Input, Output> {
  const { id } = call;
  return { ...call, audience: 'service', service: serviceOf(id), idempotent: 'always', subject: id };
}

/** The subject of a call that the gateway makes for its callers: `op.record-store.record_store.push_record`. */
export function operationSubject({ service, id }: Pick<Call, 'service' | 'id'>): string {
  return `op.${service}.${id}`;
}
