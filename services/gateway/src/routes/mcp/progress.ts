import type { Effect, Operation } from '@action-platform/contracts';
import type { Exchange } from '../../dispatch/exchange.ts';
import type { Caller } from '../../dispatch/pipeline.ts';
import type { Connection } from './connection.ts';
import type { Protocol } from './protocol.ts';

/** A request as far as it was read, which decides on the form of its refusal. */
export interface Progress {
  readonly exchange: Exchange;
  readonly connection: Connection;
  readonly caller: Caller;
  /** Whether a failed call may have changed something. */
  effect: Effect;
  /** The JSON text of the id, once the message was read. */
  id?: string;
  protocol?: Protocol;
  /** The operation of a call of a tool. */
  operation?: Operation;
}
