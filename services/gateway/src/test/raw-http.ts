import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ErrorBody, ErrorCode } from '@action-platform/contracts/errors';
import type { Operation } from '@action-platform/contracts/operations';
import { type RawAnswer, rawAnswers } from '@action-platform/testing';
import { expect } from '@jest/globals';
import { expectEnvelope } from './error-envelope.ts';

/** A connection on which a test writes any bytes. */
export class RawConnection {
  readonly socket: Socket;
  /** All bytes received so far. */
  received = '';

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('utf8').on('data', (text: string) => {
      this.received += text;
    });
    socket.on('error', () => {});
  }

  static async open(url: string): Promise<RawConnection> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Writes the head of a request and the beginning of its body. */
  request(line: string, headers: Readonly<Record<string, string | number>>, body = ''): void {
    const lines = Object.entries({ Host: 'gateway', ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    this.write(`${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  }

  /** Writes a call of an operation: a whole one, unless its headers say that more follows. */
  call(
    { id }: Pick<Operation, 'id'>,
    token: string,
    body = '{}',
    headers: Readonly<Record<string, string | number>> = {},
  ): void {
    const length = !('Transfer-Encoding' in headers) && { 'Content-Length': Buffer.byteLength(body) };
    this.request(
      `POST /api/v1/operations/${id}`,
      { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...length, ...headers },
      body,
    );
  }

  write(text: string): void {
    this.socket.write(text);
  }

  /** Resolves once the received bytes match. */
  async receives(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.received)) await once(this.socket, 'data');
  }

  /** The one answer, or the first of several, once the gateway has closed the connection. */
  async answer(): Promise<RawAnswer> {
    if (!this.socket.closed) await once(this.socket, 'close');
    return rawAnswers(Buffer.from(this.received), true)[0]!;
  }

  /** Expects the error envelope of a code as the one answer on this connection, which the gateway closes. */
  async refusal(code: ErrorCode): Promise<ErrorBody> {
    const { status, headers, body } = await this.answer();
    expect(headers.connection).toBe('close');
    return expectEnvelope({ status, requestId: headers['x-request-id'], body: JSON.parse(body) }, code);
  }
}
