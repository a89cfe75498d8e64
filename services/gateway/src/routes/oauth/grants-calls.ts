import { type BusReply, callService } from '@action-platform/bus';
import { busHeaders } from '@action-platform/contracts/bus';
import type { Call } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import type { z } from 'zod';
import type { Dependencies } from '../../dependencies.ts';
import { noteHolder } from '../../dispatch/authority.ts';
import type { Exchange } from '../../dispatch/exchange.ts';

/** Makes a call of grants for a client that nobody has authenticated: all such clients compete with each other. */
export async function askGrants<Input extends z.ZodObject, Output extends z.ZodType>(
  { bus }: Pick<Dependencies, 'bus'>,
  call: Call<Input, Output>,
  input: z.input<Input>,
  { requestId, callId, traceparent, deadline, ended, context }: Exchange,
): Promise<z.output<Output>> {
  const timeoutMs = deadline - performance.now();
  if (timeoutMs <= 0) throw new ActionError('action_platform_unavailable');
  const headers = {
    [busHeaders.requestId]: requestId,
    ...(callId !== undefined && { [busHeaders.callId]: callId }),
    [busHeaders.traceparent]: traceparent,
  };
  const onReply = (reply: BusReply) => {
    noteHolder(context, reply);
    const targets = reply.header(busHeaders.targets);
    if (targets !== '') context.targets = targets;
  };
  return await callService(bus, call, input, { timeoutMs, headers, signal: ended, onReply });
}
