import { isLoopback } from '@action-platform/contracts/configuration';
import { ActionError } from '@action-platform/contracts/errors';
import type { Request } from 'express';
import type { GatewayConfig } from '../../config.ts';
import type { Dependencies } from '../../dependencies.ts';
import { availableOperations } from '../../dispatch/authority.ts';
import { readBody } from '../../dispatch/body.ts';
import type { HttpAnswer } from '../../http/answers/http-answer.ts';
import { send } from '../../http/answers/send.ts';
import type { ApiResponse } from '../../http/api-response.ts';
import { HttpBody } from '../../http/body.ts';
import { connectionOf } from './connection.ts';
import { readMessage } from './message.ts';
import { mcpMethods } from './methods.ts';
import type { Progress } from './progress.ts';
import { protocolOf } from './protocol.ts';
import { refusals } from './refusal.ts';
import { RpcError } from './rpc.ts';

/** The room for a message around the arguments of a tool, in bytes. */
const ENVELOPE_BYTES = 64 * 1024;

const ACCEPTED: HttpAnswer = { status: 202, headers: {}, body: new Uint8Array() };

type Admitted = Pick<Progress, 'exchange' | 'caller'>;
type Serve = (progress: Progress, request: Request, response: ApiResponse) => Promise<HttpAnswer>;

/**
 * The handlers of the address of the Model Context Protocol. Each request has one message and is answered by itself: nothing is
 * remembered between two of them.
 */
export function mcpHandlers(dependencies: Dependencies) {
  const { admission, bus, config, mcpAuthenticator } = dependencies;
  // Where a tool is called, its operation decides on the effect.
  const arriving = { authenticator: mcpAuthenticator, effect: 'read' } as const;
  const isPermitted = permittedOrigins(config);
  const refused = refusals(dependencies);
  const methods = mcpMethods(dependencies);
  const largestMessage = config.REQUEST_BODY_MAX_BYTES + ENVELOPE_BYTES;

  /** The answer to a message, or its error of the protocol, once grants knows the secret: an ended one gets 401 for every message. */
  const confirmed = async ({ exchange, caller }: Admitted, answering: Promise<HttpAnswer>) => {
    const [outcome] = await Promise.allSettled([answering]);
    const isOfProtocol = outcome.status === 'fulfilled' || isMalformed(outcome.reason);
    const { holder, principal } = exchange.context;
    const isUnknown = caller.credential.kind === 'grant' && holder === undefined && principal === undefined;
    if (isOfProtocol && isUnknown) await availableOperations(bus, exchange, caller, { isUncounted: true });
    return await answering;
  };

  /** Handles requests of permitted origins and admitted callers. */
  const handler = (serve: Serve) => {
    return async (request: Request, response: ApiResponse): Promise<void> => {
      const { exchange } = response.locals;
      let progress: Progress | undefined;
      const outcome = isPermitted(request.headers.origin)
        ? await admission.run(exchange, arriving, async (caller) => {
            const answering = async () => {
              progress = { exchange, caller, connection: connectionOf(request) };
              return await serve(progress, request, response);
            };
            return await confirmed({ exchange, caller }, answering());
          })
        : new ActionError('origin_not_allowed');
      if (outcome instanceof ActionError) {
        exchange.context.error = outcome;
        await send(request, response, refused(outcome, exchange, progress));
      } else await send(request, response, outcome);
    };
  };

  return {
    /** POST /mcp?read_only=&only= */
    message: handler(async (progress, request, response) => {
      const { exchange, caller } = progress;
      const body = new HttpBody(request, response, exchange, largestMessage);
      const bytes = await readBody(body, await body.hasArrived(), caller, exchange.context);
      const message = await readMessage(bytes, {
        fairnessKey: caller.fairnessKey,
        get deadline() {
          return exchange.ended.aborted ? 0 : exchange.deadline;
        },
      });
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

/** Whether an error is about the form of a message, which any caller may get. */
function isMalformed(error: unknown): boolean {
  return error instanceof RpcError || (error instanceof ActionError && error.status === 400);
}

/**
 * Checks the `Origin` of requests, against DNS rebinding (revision 2026-07-28, transports, security). `permittedOrigins` permits programs,
 * which send none, the listed origins, that of PUBLIC_URL, and for a gateway on a loopback address the pages of this machine.
 */
function permittedOrigins({ CORS_ORIGINS, PUBLIC_URL, HOST }: GatewayConfig) {
  const allowedOrigins = new Set(CORS_ORIGINS);
  if (PUBLIC_URL !== undefined) allowedOrigins.add(new URL(PUBLIC_URL).origin);
  const isLocal = isLoopback(HOST);
  return (origin: string | undefined): boolean =>
    origin === undefined ||
    allowedOrigins.has(origin) ||
    (isLocal && isLoopback(URL.parse(origin)?.hostname ?? ''));
}
