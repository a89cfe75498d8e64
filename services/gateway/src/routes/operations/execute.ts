import { type BusReply, busHeaders } from '@action-platform/bus';
import { ActionError, authorize, type Credential, operationSubject } from '@action-platform/contracts';
import type { Request } from 'express';
import { answerWithReply } from '../../http/answer.ts';
import { callOptions } from '../../http/call-options.ts';
import { type ApiResponse, requireTimeLeft, timeLeft } from '../../http/exchange.ts';
import { bytesOf, readBody } from '../../http/request-body.ts';
import type { GatewayTools } from '../../tools.ts';
import { announceDeprecation } from './deprecation.ts';

const decoder = new TextDecoder();

/** How long one replica of grants is given to answer before another is asked, in milliseconds. */
const AUTHORITY_PATIENCE_MS = 2_000;

/**
 * POST /api/v1/operations/{operationId}: the body is read while authority is established, passed on as it
 * is, and the service's answer is passed back as it is.
 */
export function executeOperation({ bus, authenticator, config, operations }: GatewayTools) {
  return async (request: Request<{ operationId: string }>, response: ApiResponse): Promise<void> => {
    const { operationId } = request.params;
    const operation = operations.get(operationId);
    if (operation !== undefined) announceDeprecation(response, operation);
    const reading = readBody(request, config.REQUEST_BODY_MAX_BYTES);
    const credential = await authenticator.authenticate(request.headers.authorization);
    const authority = await askAuthority(credential, operationId, request, response);
    if (authority.status !== 200) {
      await reading;
      return await answerWithReply(response, authority);
    }
    const body = bytesOf(await reading);
    requireTimeLeft(response);
    if (operation === undefined) throw new ActionError('unknown_operation');
    // The principal is passed on as the grants service wrote it.
    const headers = { [busHeaders.principal]: decoder.decode(authority.body) };
    const reply = await bus.request(operationSubject(operation.id), body, callOptions(response, headers));
    await answerWithReply(response, reply);
  };

  async function askAuthority(
    credential: Credential,
    operation: string,
    request: Request,
    response: ApiResponse,
  ): Promise<BusReply> {
    const invocationId = request.get('x-routine-invocation-id');
    const question = JSON.stringify({ credential, operation, invocationId });
    const { timeoutMs, headers = {} } = callOptions(response);
    const ask = (patience: number) =>
      bus.request(authorize.subject, question, { timeoutMs: patience, headers });
    try {
      // A replica that died took its questions with it. Asking is safe to repeat, so another one is asked.
      return await ask(Math.min(timeoutMs, AUTHORITY_PATIENCE_MS)).catch(() => ask(timeLeft(response)));
    } catch {
      // Whatever became of the question, the operation itself was not begun.
      throw new ActionError('action_platform_unavailable');
    }
  }
}
