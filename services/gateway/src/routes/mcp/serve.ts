import { ActionError, type Effect } from '@action-platform/contracts';
import type { Request } from 'express';
import type { Dependencies } from '../../dependencies.ts';
import type { Exchange } from '../../dispatch/exchange.ts';
import { receiveBody } from '../../dispatch/receive-body.ts';
import type { ApiResponse } from '../../http/api-response.ts';
import { HttpBody } from '../../http/body.ts';
import { type HttpAnswer, jsonAnswer } from '../../http/http-answer.ts';
import { send } from '../../http/send.ts';
import { connectionOf } from './connection.ts';
import { readMessage } from './message.ts';
import { mcpMethods } from './methods.ts';
import { permittedOrigins } from './origins.ts';
import type { Progress } from './progress.ts';
import { protocolOf } from './protocol.ts';
import { refusals } from './refusal.ts';
import { RpcError, rpcError } from './rpc.ts';
import { refusedResult } from './tool-result.ts';

/** The room for a message around the arguments of a tool, in bytes. */
const ENVELOPE_BYTES = 64 * 1024;

const ACCEPTED: HttpAnswer = { status: 202, headers: {}, body: new Uint8Array() };

/**
 * The handlers of the address of the Model Context Protocol. Each request has one message and is answered by itself: nothing is
 * remembered between two of them.
 */
export function mcpHandlers(dependencies: Dependencies) {
  const { pipeline, config, mcpSignIn } = dependencies;
  const isPermitted = permittedOrigins(config);
  const refuse = refusals(dependencies);
  const methods = mcpMethods(dependencies);

  /** Admits a request of a permitted origin; a refusal before the message is an ordinary HTTP answer. */
  const admitted = async (
    request: Request,
    { locals: { exchange } }: ApiResponse,
    serve: (progress: Progress) => Promise<HttpAnswer | RpcError>,
  ): Promise<HttpAnswer> => {
    const { context } = exchange;
    if (!isPermitted(request.headers.origin)) {
      context.error = new ActionError('origin_not_allowed');
      return refuse.unread(context.error, exchange);
    }
    let progress: Progress | undefined;
    const kind = {
      authenticator: mcpSignIn?.authenticator,
      get effect(): Effect {
        return progress?.operation?.effect ?? 'read';
      },
    };
    const outcome = await pipeline.run(exchange, kind, async (caller) => {
      progress = { exchange, caller, connection: connectionOf(request) };
      return await serve(progress).catch((error: unknown) => {
        if (!(error instanceof RpcError)) throw error;
        context.error = new ActionError(error.reason);
        return error;
      });
    });
    if (outcome instanceof RpcError) {
      return { ...jsonAnswer(rpcError(progress?.id, outcome)), status: outcome.status };
    }
    return outcome instanceof ActionError ? await refused(outcome, exchange, progress) : outcome;
  };

  const refused = async (refusal: ActionError, exchange: Exchange, progress?: Progress) => {
    const { id, protocol, operation } = progress ?? {};
    if (id === undefined) return refuse.unread(refusal, exchange);
    if (operation === undefined) return refuse.message(refusal, exchange, id);
    const envelope = await refuse.call(refusal, exchange, progress!.caller, operation);
    return refusedResult(JSON.stringify(envelope), { id, protocol: protocol! });
  };

  return {
    /** POST /mcp?read_only= */
    message: async (request: Request, response: ApiResponse): Promise<void> => {
      const answer = await admitted(request, response, async (progress) => {
        const { exchange, caller } = progress;
        const limit = config.REQUEST_BODY_MAX_BYTES + ENVELOPE_BYTES;
        const body = new HttpBody(request, response, exchange, limit);
        const bytes = await receiveBody(body, await body.hasArrived(), caller, exchange.context);
        const message = await readMessage(bytes);
        if (message.id === undefined) return ACCEPTED;
        const { id } = message;
        progress.id = id;
        const protocol = protocolOf(message, request.headers);
        progress.protocol = protocol;
        return await methods(message, { id, protocol }, progress);
      });
      await send(request, response, answer);
    },

    /** Another method on /mcp: this server opens no stream, and keeps no session to end. */
    other: async (request: Request, response: ApiResponse): Promise<void> => {
      const answer = await admitted(request, response, () => {
        response.setHeader('Allow', 'POST');
        const message = `This address takes POST, not ${request.method}.`;
        throw new ActionError('method_not_allowed', { message });
      });
      await send(request, response, answer);
    },
  };
}
