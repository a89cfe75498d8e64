import type { Operation } from '@action-platform/contracts/operations';
import type { Caller } from '../../dispatch/admission.ts';
import type { Exchange } from '../../dispatch/exchange.ts';
import type { Connection } from './connection.ts';
import type { Protocol } from './protocol.ts';

/** The request that a result answers. */
export interface RpcRequest {
  /** The JSON text of its id. */
  readonly id: string;
  readonly protocol: Protocol;
}

/** A request as far as it was read, which decides on the form of its refusal. */
export interface Progress {
  readonly exchange: Exchange;
  readonly connection: Connection;
  readonly caller: Caller;
  /** The JSON text of the id, once the message was read. */
  id?: string;
  protocol?: Protocol;
  /** The operation of a call of a tool. */
  operation?: Operation;
}
