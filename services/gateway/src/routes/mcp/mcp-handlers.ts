import { ActionError, type Effect } from '@action-platform/contracts';
import type { Request } from 'express';
import type { Dependencies } from '../../dependencies.ts';
import { receiveBody } from '../../dispatch/receive-body.ts';
import type { ApiResponse } from '../../http/api-response.ts';
import { HttpBody } from '../../http/body.ts';
import type { HttpAnswer } from '../../http/http-answer.ts';
import { send } from '../../http/send.ts';
import { connectionOf } from './connection.ts';
import { readMessage } from './message.ts';
import { mcpMethods } from './methods.ts';
import { permittedOrigins } from './origins.ts';
import type { Progress } from './progress.ts';
import { protocolOf } from './protocol.ts';
import { refusals } from './refusal.ts';

/** The room for a message around the arguments of a tool, in bytes. */
const ENVELOPE_BYTES = 64 * 1024;

const ACCEPTED: HttpAnswer = { status: 202, headers: {}, body: new Uint8Array() };

type Serve = (progress: Progress, request: Request, response: ApiResponse) => Promise<HttpAnswer>;

/**
 * The handlers of the address of the Model Context Protocol. Each request has one message and is answered by itself: nothing is
 * remembered between two of them.
 */
export function mcpHandlers(dependencies: Dependencies) {
  const { pipeline, config, mcpSignIn } = dependencies;
  const isPermitted = permittedOrigins(config);
  const refused = refusals(dependencies);
  const methods = mcpMethods(dependencies);
  const largestMessage = config.REQUEST_BODY_MAX_BYTES + ENVELOPE_BYTES;

  /** Handles requests of permitted origins and admitted callers. */
  const handler = (serve: Serve) => {
    return async (request: Request, response: ApiResponse): Promise<void> => {
      const { exchange } = response.locals;
      let progress: Progress | undefined;
      const kind = {
        authenticator: mcpSignIn?.authenticator,
        get effect(): Effect {
          return progress?.operation?.effect ?? 'read';
        },
      };
      const outcome = isPermitted(request.headers.origin)
        ? await pipeline.run(exchange, kind, async (caller) => {
            progress = { exchange, caller, connection: connectionOf(request) };
            return await serve(progress, request, response);
          })
        : new ActionError('origin_not_allowed');
      if (outcome instanceof ActionError) {
        exchange.context.error = outcome;
        await send(request, response, await refused(outcome, exchange, progress));
      } else await send(request, response, outcome);
    };
  };

  return {
    /** POST /mcp?read_only= */
    message: handler(async (progress, request, response) => {
      const { exchange, caller } = progress;
      const body = new HttpBody(request, response, exchange, largestMessage);
      const bytes = await receiveBody(body, await body.hasArrived(), caller, exchange.context);
      const message = await readMessage(bytes);
      const { id } = message;
      if (id === undefined) return ACCEPTED;
      progress.id = id;
      const protocol = protocolOf(message, request.headers);
      progress.protocol = protocol;
      return await methods(message, { id, protocol }, progress);
    }),

    /** Another method on /mcp: this server opens no stream, and keeps no session to end. */
    other: handler((_progress, { method }, response) => {
      response.setHeader('Allow', 'POST');
      const message = `This address takes POST, not ${method}.`;
      throw new ActionError('method_not_allowed', { message });
    }),
  };
}
