import { type Bus, type BusReply, callService } from '@action-platform/bus';
import { discover, type Granted } from '@action-platform/contracts';
import { askOptions } from './ask.ts';
import { type Exchange, noteHolder } from './exchange.ts';
import type { Caller } from './pipeline.ts';

/** The ids of the operations that a caller can execute now, sorted, and the limits of a routine grant; grants determines them for every call. */
export async function availableOperations(bus: Bus, exchange: Exchange, caller: Caller): Promise<Granted> {
  const { credential } = caller;
  const options = {
    ...askOptions(exchange, caller, discover),
    onReply: (reply: BusReply) => noteHolder(exchange.context, reply),
  };
  return await callService(bus, discover, { credential }, options);
}
