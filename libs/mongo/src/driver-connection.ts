/*
 * The private parts of the MongoDB driver that this library uses, all of them, as of `mongodb` 7.9: its class of connections.
 *
 * - `command`, wrapped to trace and measure every command (`observe-commands.ts`). The driver's public command events
 *   parse each reply once more: 60 µs of the 560 that a get takes of all processors.
 * - `cleanup`, wrapped to fail commands that wait for a closed socket (`broken-connections.ts`).
 *
 * `driver-connection.service.test.ts` fails when a version of the driver changes either.
 */
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

/** A connection of the driver. */
export interface DriverConnection {
  readonly socket: Socket;
  readonly closed: boolean;
  /** Host and port of the server. */
  readonly address: string;
  /** Sends a command; every command passes here. */
  command(namespace: { readonly db: string }, command: DriverCommand, ...rest: unknown[]): Promise<unknown>;
  /** Ends the connection and fails the commands that wait for an answer; may be called again without effect. */
  cleanup(error: Error): void;
}

export type DriverCommand = Readonly<Record<string, unknown>>;

const { Connection } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js') as {
  Connection: { readonly prototype: DriverConnection };
};

/** The prototype of all connections of this process. */
export const driverConnection = Connection.prototype;
