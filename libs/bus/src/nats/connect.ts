import { setTimeout as delay } from 'node:timers/promises';
import { inboxPrefix } from '@action-platform/contracts/bus';
import { WrongConfiguration } from '@action-platform/contracts/configuration';
import { timeouts } from '@action-platform/contracts/limits';
import type { BusUser } from '@action-platform/contracts/services';
import {
  AuthorizationError,
  connect,
  type NatsConnection,
  type ServerInfo,
  UserAuthenticationExpiredError,
} from '@nats-io/transport-node';
import { nkeyAuthenticator } from './nkey.ts';
import { nextServer } from './partition-detector.ts';

/** How to reach the bus, and as whom. */
export interface BusOptions {
  /** One or more NATS servers, separated by commas, such as `nats://127.0.0.1:4222`. */
  url: string;
  /** The file with the certificate authority of the servers, as PEM. With it every connection is encrypted. */
  authorityFile?: string | undefined;
  /** Whether to accept a server that does not authenticate its clients. */
  acceptsAny?: boolean;
  user: BusUser;
  /** The user's nkey seed (`SU…`). */
  seed: string;
  /** The largest message this process will send, in bytes; the server must accept it. */
  maxMessageBytes: number;
  /** Receives changes of the connection's state, each in one line. */
  onEvent?: (event: { level: 'info' | 'warn'; message: string }) => void;
  /** The delay before a read without an answer is also sent to other replicas, in milliseconds; 1500 by default. */
  hedgeAfterMs?: number;
  /** Stops waiting for a server that cannot be reached yet. */
  signal?: AbortSignal;
}

const FIRST_CONNECT_RETRY_MS = 500;

/** Connects, and waits for a server that is not up yet. Throws WrongConfiguration at once for a refused nkey or an unsuitable server. */
export async function connectToServer(options: BusOptions): Promise<NatsConnection> {
  const { nc, info } = await untilConnected(options);
  if (info.auth_required !== true && !options.acceptsAny) {
    await nc.close();
    throw new WrongConfiguration([
      `the NATS server at ${options.url} does not require authentication: start it with the configuration of the deployment, or accept it with ALLOW_INSECURE=1`,
    ]);
  }
  const { max_payload: accepted } = info;
  if (accepted < options.maxMessageBytes) {
    await nc.close();
    throw new WrongConfiguration([
      `the NATS server at ${options.url} accepts messages of ${accepted} bytes, but ${options.maxMessageBytes} are needed: raise max_payload in its configuration`,
    ]);
  }
  return nc;
}

/** A connection, and the properties of its server. */
async function untilConnected(options: BusOptions): Promise<{ nc: NatsConnection; info: ServerInfo }> {
  const authenticator = authenticatorOf(options);
  const { authorityFile } = options;
  for (let attempt = 0; ; attempt++) {
    try {
      const nc = await connect({
        servers: options.url.split(',').map((server) => server.trim()),
        // Encrypted from the first byte on, so that no attacker on the way can pretend that the server does not encrypt.
        ...(authorityFile !== undefined && { tls: { caFile: authorityFile, handshakeFirst: true } }),
        name: options.user,
        authenticator,
        inboxPrefix: inboxPrefix(options.user),
        maxReconnectAttempts: -1,
        timeout: timeouts.busConnect,
        reconnectTimeWait: timeouts.busReconnectWait,
        reconnectToServer: nextServer,
        // A server that refuses the nkey may restart with other keys; the process does not end meanwhile.
        ignoreAuthErrorAbort: true,
        pingInterval: timeouts.busPingInterval,
        maxPingOut: timeouts.busPingsUnanswered,
        noAsyncTraces: true,
      });
      const { info } = nc;
      if (info !== undefined) return { nc, info };
      // The client is reconnecting already, and no longer has the server's properties.
      await nc.close();
      throw new Error('the connection broke at once');
    } catch (error) {
      if (isRefusal(error)) {
        throw new WrongConfiguration([
          `the NATS server at ${options.url} refused the nkey of bus user "${options.user}"`,
        ]);
      }
      options.signal?.throwIfAborted();
      if (attempt % 10 === 0) {
        const reason = error instanceof Error ? error.message : String(error);
        const message = `waiting for the NATS server at ${options.url}: ${reason}`;
        options.onEvent?.({ level: 'warn', message });
      }
      await delay(FIRST_CONNECT_RETRY_MS, undefined, options.signal ? { signal: options.signal } : {});
    }
  }
}

/**
 * Whether the server refused the nkey. The server reports a handshake that took too long as the same kind of error; another attempt may
 * succeed.
 */
function isRefusal(error: unknown): boolean {
  if (error instanceof AuthorizationError) return !/authentication timeout/i.test(error.message);
  return error instanceof UserAuthenticationExpiredError;
}

function authenticatorOf({ seed, user }: BusOptions): ReturnType<typeof nkeyAuthenticator> {
  try {
    return nkeyAuthenticator(seed);
  } catch {
    throw new WrongConfiguration([`the nkey seed of bus user "${user}" is none: it begins with SU`]);
  }
}
