import { readAtMost } from '@action-platform/outbound-http';
import { MailUnavailable } from '../provider.ts';

/** The pause after an answer that names none, in seconds. */
const DEFAULT_PAUSE_S = 5;
/** The most bytes of an answer. */
const ANSWER_BYTES = 8 * 1024 * 1024;

/** Errors of TLS about the certificate of a server. */
const UNTRUSTED = /^(ERR_TLS_CERT_ALTNAME_INVALID|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*)$/;
/** Errors by which a connection fails before a request is sent over it. */
const UNREACHABLE = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** A server to which nothing could be sent. The message is one plain line. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/**
 * Sends a request and follows no redirect, which would take its secret to another address.
 *
 * @throws MailUnavailable caused by Unreachable when it was not sent; after another error its outcome is unknown.
 */
export async function request(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'error' });
  } catch (error) {
    const { code = '' } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    if (UNTRUSTED.test(code)) {
      const problem = `${url.host} shows a certificate that the mail service does not trust (${code}).`;
      throw unavailable(new Unreachable(problem, { cause: error }));
    }
    if (UNREACHABLE.test(code)) {
      const problem = `${url.host} cannot be reached (${code}).`;
      throw unavailable(new Unreachable(problem, { cause: error }));
    }
    throw error;
  }
}

/** The JSON of an answer. The parser's own error would quote it. @throws AnswerTooLarge */
export async function jsonOf(response: Response): Promise<unknown> {
  const body = await bodyOf(response);
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new Error(`${new URL(response.url).host} answered with malformed JSON.`);
  }
}

/** `request` with the whole answer, for a library that reads it. @throws AnswerTooLarge */
export async function requestWhole(url: string, init: RequestInit): Promise<Response> {
  const response = await request(new URL(url), init);
  const { status, headers } = response;
  return new Response(new Uint8Array(await bodyOf(response)), { status, headers });
}

function bodyOf({ body }: Response): Promise<Buffer> {
  return readAtMost(ANSWER_BYTES, body ?? ReadableStream.from([]));
}

/** An error that says that nothing was done. @param cause why */
export function unavailable(cause: Error): MailUnavailable {
  return new MailUnavailable(DEFAULT_PAUSE_S, { cause });
}

/** The seconds that an answer asks to wait (RFC 9110, section 10.2.3), at least one. */
export function retryAfterOf({ headers }: Response): number {
  const value = headers.get('retry-after') ?? '';
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? DEFAULT_PAUSE_S : Math.max(1, Math.ceil(seconds));
}
