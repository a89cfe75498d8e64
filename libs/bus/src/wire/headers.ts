import { busHeaders } from '@action-platform/contracts/bus';
import type { Incoming, IncomingHeaders } from './incoming.ts';

/** Values that the NATS client would trim, refuse or change, and those that begin like a quoted one. */
const NEEDS_QUOTES = /^["\s]|[\r\n\ud800-\udfff]|\s$/;

/** The names and values of headers, before they are quoted or after they were unquoted. */
export type Headers = Readonly<Record<string, string>>;

/**
 * The values of headers as they are sent; any string is a value. A value is sent as UTF-8, or as a JSON string when it would change on the
 * way (with a line break, white space at an end, half of a surrogate pair). `ReceivedMessage` undoes it.
 */
export function headerTexts(headers: Headers): Headers {
  const texts: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name]!;
    texts[name] = NEEDS_QUOTES.test(value) ? JSON.stringify(value) : value;
  }
  return texts;
}

/** A message that came in, as its reader sees it. */
export class ReceivedMessage {
  readonly subject: string;
  readonly body: Uint8Array;
  readonly #headers: IncomingHeaders | undefined;

  constructor({ subject, data, headers }: Incoming) {
    this.subject = subject;
    this.body = data;
    this.#headers = headers;
  }

  /** A header's value; the empty string when it is absent. */
  header(name: string): string {
    const value = this.#headers?.get(name) ?? '';
    return value.startsWith('"') ? unquote(value) : value;
  }
}

/** The status of an answer: a success or an error that has a body (RFC 9110, section 15); undefined without a valid one. */
export function statusOf(headers: IncomingHeaders | undefined): number | undefined {
  const status = headers?.get(busHeaders.status) ?? '';
  return /^(?:20[0-3]|[45]\d\d)$/.test(status) ? Number(status) : undefined;
}

function unquote(value: string): string {
  try {
    return String(JSON.parse(value));
  } catch {
    // Not written by headerTexts.
    return value;
  }
}

/** The whole seconds of Retry-After (RFC 9110, section 10.2.3); undefined when an answer has none. */
export function retryAfterOf(answer: Pick<ReceivedMessage, 'header'>): number | undefined {
  const seconds = answer.header(busHeaders.retryAfter);
  return /^\d{1,9}$/.test(seconds) ? Number(seconds) : undefined;
}
