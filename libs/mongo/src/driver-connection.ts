import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

/**
 * What is known here of the driver's connections, which are no part of what it makes public: another version may have them otherwise.
 * The tests of this folder would tell.
 */
export interface DriverConnection {
  readonly socket: Socket;
  readonly closed: boolean;
  /** Host and port of the server. */
  readonly address: string;
  /** Every command goes through it. */
  command(namespace: { readonly db: string }, command: DriverCommand, ...rest: unknown[]): Promise<unknown>;
  /** Ends the connection and fails who waits for an answer on it; may be called again, and then does nothing. */
  cleanup(error: Error): void;
}

export type DriverCommand = Readonly<Record<string, unknown>>;

const { Connection } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js') as {
  Connection: { readonly prototype: DriverConnection };
};

/** What all connections of this process have in common. */
export const driverConnection = Connection.prototype;
