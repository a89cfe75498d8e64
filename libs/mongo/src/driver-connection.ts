/*
 * All private parts of the MongoDB driver that this library uses, as of `mongodb` 7.9: two methods of its connections and two options.
 *
 * - `observe-commands.ts` wraps `command` to trace and measure every command. The driver's public command events parse each
 *   reply once more: 60 of the 560 µs of processor time that a get takes.
 * - `broken-connections.ts` wraps `cleanup` to fail commands that wait for a closed socket.
 * - `checkPoolsRarely` sets an option of pools.
 * - `stored/open-indexed.ts` sets an option of a command, and `until-answered.ts` wraps `command` to set it for other commands.
 *
 * `driver-connection.service.test.ts` fails when a version of the driver changes one of them; for the option of a command
 * `stored/slow-index.service.test.ts`, and `change-stream.service.test.ts` of `libs/change-events`.
 */
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { MongoClient } from 'mongodb';

/** A connection of the driver. */
export interface DriverConnection {
  readonly socket: Socket;
  readonly closed: boolean;
  /** Host and port of the server. */
  readonly address: string;
  /** Sends a command; the driver calls it for every command. */
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

const POOL_CHECK_MS = 60_000;

/**
 * Lets the pools of a client, before it connects, look once a minute whether they have their least number of connections, which is 0. The
 * default wakes an idle process ten times a second. The driver reads this option and refuses it in a URL and in the options of a client.
 */
export function checkPoolsRarely(client: MongoClient): void {
  Object.assign(client.options, { minPoolSizeCheckFrequencyMS: POOL_CHECK_MS });
}
