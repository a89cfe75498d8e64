import { lookup } from 'node:dns/promises';
import {
  AnswerTooLarge,
  NotSent,
  type OutboundAnswer,
  type OutboundRequest,
  readNetworks,
  Sender,
} from '@action-platform/outbound-http';
import type { CustomFetchOptions } from 'oauth4webapi';
import { MailUnavailable } from '../provider.ts';

/** The pause after an answer that names none, in seconds. */
const DEFAULT_PAUSE_S = 5;
/** The most bytes of an answer. */
const ANSWER_BYTES = 8 * 1024 * 1024;

/** Errors of TLS about the certificate of a server. */
const UNTRUSTED = /^(ERR_TLS_CERT_ALTNAME_INVALID|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*)$/;

/**
 * Operators name the servers, so any address may be one, and a name may be in a file of hosts alone. `Sender` refuses a port of another
 * protocol than HTTP, as `fetch` does.
 */
const sender = new Sender({
  allowedNetworks: readNetworks('servers of operators', '0.0.0.0/0 ::/0'),
  allowsHttpToLoopback: false,
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
});

/** A server to which nothing could be sent. The message is one plain line. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/**
 * Sends a request once its connection is there, and follows no redirect, which would take its secret to another address.
 *
 * @throws MailUnavailable caused by Unreachable when it was not sent; after another error its outcome is unknown.
 */
export async function request(
  url: URL,
  sent: Pick<OutboundRequest, 'method' | 'headers' | 'body' | 'signal'>,
): Promise<OutboundAnswer> {
  const { signal } = sent;
  const isRepeatable = sent.method === 'GET';
  try {
    return await sender.send({ ...sent, url: url.href, isRepeatable, maxBytes: ANSWER_BYTES });
  } catch (error) {
    if (!(error instanceof NotSent)) throw signal.aborted ? signal.reason : error;
    const { code = 'the address is refused' } = error.cause as NodeJS.ErrnoException;
    const problem = UNTRUSTED.test(code)
      ? `${url.host} shows a certificate that the mail service does not trust (${code}).`
      : `${url.host} cannot be reached (${signal.aborted ? 'ETIMEDOUT' : code}).`;
    throw unavailable(new Unreachable(problem, { cause: error }));
  }
}

/** Whether an answer is a success. */
export function isOk({ status }: OutboundAnswer): boolean {
  return status >= 200 && status <= 299;
}

/** The JSON of an answer. The parser's own error would quote it. @throws AnswerTooLarge */
export function jsonOf(answer: OutboundAnswer): unknown {
  const body = bodyOf(answer);
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new Error('Microsoft answered with malformed JSON.');
  }
}

/** `request` for a library that reads the answer. @throws AnswerTooLarge */
export async function requestWhole(
  url: string,
  { body, signal, ...sent }: CustomFetchOptions<'POST', URLSearchParams>,
): Promise<Response> {
  const answer = await request(new URL(url), { ...sent, body: String(body), signal: signal! });
  const headers = { 'content-type': answer.headers['content-type'] ?? '' };
  return new Response(new Uint8Array(bodyOf(answer)), { status: answer.status, headers });
}

function bodyOf({ body, failure }: OutboundAnswer): Buffer {
  if (failure === 'too_large') throw new AnswerTooLarge(`The answer has more than ${ANSWER_BYTES} bytes.`);
  if (body === undefined) throw new Error(`Microsoft did not complete its answer (${failure}).`);
  return body;
}

/** An error that says that nothing was done. @param cause why */
export function unavailable(cause: Error): MailUnavailable {
  return new MailUnavailable(DEFAULT_PAUSE_S, { cause });
}

/** The seconds that an answer asks to wait (RFC 9110, section 10.2.3), at least one. */
export function retryAfterOf({ headers }: OutboundAnswer): number {
  const value = headers['retry-after'] ?? '';
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? DEFAULT_PAUSE_S : Math.max(1, Math.ceil(seconds));
}
