import { busHeaders } from '@action-platform/bus';
import type { Call, SessionClaims } from '@action-platform/contracts';
import { answerWithReply } from '../../http/answer.ts';
import { callOptions } from '../../http/call-options.ts';
import type { ApiResponse } from '../../http/exchange.ts';
import type { GatewayTools } from '../../tools.ts';

/** Passes a request for the management of grants on, and its answer back; `success` is the HTTP status then. */
export async function forward(
  { bus }: GatewayTools,
  response: ApiResponse,
  call: Call,
  session: SessionClaims,
  body: Uint8Array | string,
  success: 200 | 201,
): Promise<void> {
  const headers = { [busHeaders.session]: JSON.stringify(session) };
  const reply = await bus.request(call.subject, body, callOptions(response, headers));
  await answerWithReply(response, reply.status === 200 ? { ...reply, status: success } : reply);
}
