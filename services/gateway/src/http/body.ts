import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { ActionError, invalidRequest } from '@action-platform/contracts/errors';
import type { Body } from '../dispatch/body.ts';
import { type Exchange, MalformedRequest } from '../dispatch/exchange.ts';

/** The first size of the buffer of a body of unknown length, in bytes. */
const FIRST_BUFFER_BYTES = 4096;

/** Requests whose rest cannot be read, each with whether it was too late; an event notifies readers. */
const brokenOff = new WeakMap<IncomingMessage, boolean>();
const BROKEN_OFF = Symbol('broken off');

/** Marks the rest of a request's body as unreadable, for its present or future reader. */
export function breakOff(request: IncomingMessage, isLate: boolean): void {
  brokenOff.set(request, isLate);
  request.emit(BROKEN_OFF);
}

/**
 * The body of an HTTP request, of at most `limit` bytes and of one media type. Before `read`, `HttpBody` takes nothing from the connection
 * beyond the bytes that arrived with the head. One buffer holds the body, however small the pieces that arrive.
 */
export class HttpBody implements Body {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #deadline: number;
  readonly #limit: number;
  readonly #type: string;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { deadline }: Exchange,
    limit: number,
    type = 'application/json',
  ) {
    this.#request = request;
    this.#response = response;
    this.#deadline = deadline;
    this.#limit = limit;
    this.#type = type;
  }

  hasArrived(): Promise<boolean> {
    return isWhole(this.#request);
  }

  async read(reserve: (bytes: number) => void): Promise<Uint8Array> {
    const declared = Number(this.#request.headers['content-length'] ?? 0);
    if (declared > this.#limit) throw tooLarge(this.#limit);
    reserve(declared);
    const bytes = new GrowingBuffer(declared, this.#limit, reserve);
    if (await isWhole(this.#request)) {
      for (let chunk = this.#request.read(); chunk !== null; chunk = this.#request.read())
        bytes.append(chunk);
    } else {
      await this.#receive(bytes);
    }
    if (bytes.length > 0) requireType(this.#request, this.#type);
    return bytes.content;
  }

  /** Reads until the end of the body, or the deadline. */
  async #receive(bytes: GrowingBuffer): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onLate = () => reject(tooLate());
    const onEnd = () => (performance.now() < this.#deadline ? resolve() : onLate());
    const onBrokenOff = () => reject(brokenOff.get(this.#request) ? tooLate() : endedEarly());
    const onData = (chunk: Buffer) => {
      try {
        bytes.append(chunk);
      } catch (refusal) {
        reject(refusal);
      }
    };
    const timer = setTimeout(onLate, Math.max(1, this.#deadline - performance.now()));
    const request = this.#request;
    request.on('error', onBrokenOff).on('close', onBrokenOff).on(BROKEN_OFF, onBrokenOff);
    request.on('end', onEnd).on('data', onData);
    if (brokenOff.has(request) || request.destroyed) onBrokenOff();
    // RFC 9110, section 10.1.1: a client that waits for permission sends its body now.
    if (request.headers.expect !== undefined && request.httpVersion !== '1.0') this.#response.writeContinue();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      // The listeners would keep the body in memory as long as the request; an error without any would end the process.
      request.on('error', ignore).off('error', onBrokenOff).off('close', onBrokenOff);
      request.off(BROKEN_OFF, onBrokenOff).off('end', onEnd).off('data', onData);
    }
  }
}

function ignore(): void {}

/** Whether a whole request arrived in one piece with its head. */
export async function isWhole(request: IncomingMessage): Promise<boolean> {
  const { headers } = request;
  // Node.js parses the body after it emits the head; bytes of the same piece follow in the same tick of the event loop.
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  if (hasBody && !request.complete) await setImmediate();
  return !hasBody || request.complete;
}

function tooLarge(limit: number): ActionError {
  const message = `The request body is larger than ${limit} bytes.`;
  return new ActionError('request_body_too_large', { message });
}

function tooLate(): ActionError {
  return new MalformedRequest('The request body took too long to arrive.');
}

function endedEarly(): ActionError {
  return new MalformedRequest('The request body ended early, or is not well formed.');
}

/** A buffer that grows as bytes are appended to it. */
class GrowingBuffer {
  readonly #declared: number;
  readonly #limit: number;
  readonly #reserve: (bytes: number) => void;
  #buffer: Buffer | undefined;
  length = 0;

  /**
   * @param declared the declared length in bytes; 0 when it is unknown.
   * @param reserve is called before the buffer grows to this number of bytes, and may throw.
   */
  constructor(declared: number, limit: number, reserve: (bytes: number) => void) {
    this.#declared = declared;
    this.#limit = limit;
    this.#reserve = reserve;
  }

  /** Throws ActionError when there are more bytes than the limit allows. */
  append(chunk: Buffer): void {
    const length = this.length + chunk.length;
    if (length > this.#limit) throw tooLarge(this.#limit);
    // A chunk that is the whole body needs no other buffer.
    if (this.length === 0 && length >= this.#declared) {
      this.#reserve(length);
      this.#buffer = chunk;
    } else chunk.copy(this.#room(length), this.length);
    this.length = length;
  }

  get content(): Uint8Array {
    return this.#buffer?.subarray(0, this.length) ?? new Uint8Array();
  }

  /** A buffer of this number of bytes that begins with the received ones. */
  #room(length: number): Buffer {
    if (this.#buffer !== undefined && length <= this.#buffer.length) return this.#buffer;
    const size = Math.min(this.#limit, Math.max(length, 2 * this.length, this.#declared, FIRST_BUFFER_BYTES));
    this.#reserve(size);
    const larger = Buffer.allocUnsafeSlow(size);
    this.#buffer?.copy(larger, 0, 0, this.length);
    this.#buffer = larger;
    return larger;
  }
}

function requireType({ headers }: IncomingMessage, required: string): void {
  // RFC 9110, section 8.4.1: identity means no coding.
  if (!/^identity$/i.test(headers['content-encoding'] ?? 'identity')) {
    throw invalidRequest('Content-Encoding: the body must be sent as it is.');
  }
  const type = headers['content-type'];
  if (type === required) return;
  const [name, ...parameters] = (type ?? '').toLowerCase().split(';');
  const isUtf8 = parameters.every(
    (parameter) => !/^\s*charset\s*=/.test(parameter) || /=\s*"?utf-8"?\s*$/.test(parameter),
  );
  const isRequired = name!.trim() === required;
  if (!isRequired || !isUtf8) {
    const sent = /^[\w.+-]{1,60}\/[\w.+-]{1,60}/.exec(type ?? '')?.[0];
    const other = sent === undefined || isRequired ? '' : `, not ${sent}`;
    throw invalidRequest(`Content-Type: must be ${required} in UTF-8${other}.`);
  }
}
