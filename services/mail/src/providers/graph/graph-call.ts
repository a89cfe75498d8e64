import { randomUUID } from 'node:crypto';
import type { ProviderCorrelation } from '@action-platform/contracts/operations';
import type { OutboundAnswer } from '@action-platform/outbound-http';
import { MailUnavailable, SignInRefused } from '../provider.ts';
import { isOk, jsonOf, request, retryAfterOf } from './request.ts';

/** A call of Microsoft Graph. */
export interface GraphCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly body?: { readonly type: 'application/json' | 'text/plain'; readonly text: string } | undefined;
  readonly signal: AbortSignal;
}

/** The answer to a call, and Graph's names for it. */
export interface GraphAnswer {
  /** The parsed JSON; undefined when the answer has no content. */
  readonly body: unknown;
  readonly correlation: ProviderCorrelation;
}

/** Graph refused a call, or failed in it. */
export class GraphRefusal extends Error {
  readonly status: number;
  readonly correlation: ProviderCorrelation;

  /** @param code of the error, such as `ErrorAccessDenied`. */
  constructor(status: number, code: string, correlation: ProviderCorrelation) {
    super(`Microsoft Graph answered ${status} (${code}).`);
    this.name = 'GraphRefusal';
    this.status = status;
    this.correlation = correlation;
  }
}

/**
 * Calls Microsoft Graph; after a 401 once more with a fresh token. Ids are immutable ("Obtain immutable identifiers for Outlook
 * resources"), so that they survive a move, and each request has its own id ("Best practices for working with Microsoft Graph").
 *
 * @param token returns an access token; a fresh one after Graph refused the earlier.
 * @throws SignInRefused when Graph refuses the fresh token, too.
 * @throws MailUnavailable for 429, for 503 with `Retry-After`, and when the call was not sent: nothing was done.
 * @throws GraphRefusal for another status than 2xx. After any other error the outcome is unknown.
 */
export async function callGraph(
  call: GraphCall,
  token: (isFresh: boolean) => Promise<string>,
): Promise<GraphAnswer> {
  let { response, correlation } = await send(call, await token(false));
  if (response.status === 401) ({ response, correlation } = await send(call, await token(true)));
  const { status } = response;
  if (isOk(response)) return { body: status === 204 ? undefined : jsonOf(response), correlation };
  const code = errorCode(response);
  if (status === 401) throw new SignInRefused(`Microsoft Graph refuses the access token (${code}).`);
  // A proxy in front of Graph answers 503, too, and may have passed the call on.
  const isThrottled = status === 429 || (status === 503 && response.headers['retry-after'] !== undefined);
  if (isThrottled) throw new MailUnavailable(retryAfterOf(response));
  throw new GraphRefusal(status, code, correlation);
}

async function send({ method, url, body, signal }: GraphCall, token: string) {
  const clientRequestId = randomUUID();
  const headers = {
    authorization: `Bearer ${token}`,
    prefer: 'IdType="ImmutableId"',
    'client-request-id': clientRequestId,
    ...(body === undefined ? {} : { 'content-type': body.type }),
  };
  const response = await request(url, { method, headers, body: body?.text, signal });
  const requestId = response.headers['request-id'];
  const correlation: ProviderCorrelation = {
    ...(typeof requestId === 'string' && { graph_request_id: requestId }),
    graph_client_request_id: clientRequestId,
    http_status: response.status,
  };
  return { response, correlation };
}

/** The code of an error ("Microsoft Graph error responses and resource types"); its message may quote content. */
function errorCode(response: OutboundAnswer): string {
  try {
    const { error } = jsonOf(response) as { error: { code: string } };
    if (/^\w{1,100}$/.test(error.code)) return error.code;
  } catch {
    // The answer is none of Graph's.
  }
  return 'no code';
}
