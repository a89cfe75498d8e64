import { permissionsOf } from '@action-platform/contracts/bus';
import { WrongConfiguration } from '@action-platform/contracts/configuration';
import { type Limits, timeouts } from '@action-platform/contracts/limits';
import { type BusUser, busUsers } from '@action-platform/contracts/services';
import { permittedResponses } from '../long-answers/protocol.ts';
import { createNkey } from '../nats/nkey.ts';
import { CHUNK_BYTES } from '../wire/chunks.ts';

/**
 * How many bytes the NATS server holds for a connection that does not read them before it drops the connection as a slow
 * consumer. By default at most 56 MiB are on their way to a gateway (`requireRoomForAnswers`), and to a replica 32 MiB from each gateway.
 */
const MAX_PENDING_BYTES = 128 * 1024 * 1024;

/** Throws WrongConfiguration when limits let more bytes be on their way to a gateway than the NATS server holds for it. */
export function requireRoomForAnswers(limits: Limits): void {
  const most = limits.GATEWAY_MAX_IN_FLIGHT * CHUNK_BYTES + limits.GATEWAY_MAX_BYTES_IN_FLIGHT;
  if (most <= MAX_PENDING_BYTES) return;
  throw new WrongConfiguration([
    `GATEWAY_MAX_IN_FLIGHT answers of ${CHUNK_BYTES} bytes and GATEWAY_MAX_BYTES_IN_FLIGHT are ${most} bytes together, but the NATS server holds ${MAX_PENDING_BYTES} for a gateway: lower one of them and run more gateways`,
  ]);
}

/** JetStream stores messages in files alone, and the streams have bounds of their own. */
const JETSTREAM_FILE_BYTES = 1024 ** 4;
const JETSTREAM_MEMORY_BYTES = 16 * 1024 ** 2;

/** The nkey of a bus user: the NATS server has the public key, the user alone the seed. */
export interface BusKey {
  readonly publicKey: string;
  readonly seed: string;
}

/** Makes a fresh nkey for every bus user. */
export function createBusKeys(): Record<BusUser, BusKey> {
  const entries = busUsers.map((user) => [user, createNkey()] as const);
  return Object.fromEntries(entries) as Record<BusUser, BusKey>;
}

/** The public half of every key. */
export function publicKeysOf(keys: Readonly<Record<BusUser, BusKey>>): Record<BusUser, string> {
  return Object.fromEntries(busUsers.map((user) => [user, keys[user].publicKey])) as Record<BusUser, string>;
}

/** The public keys of the bus users, by user: more than one while they are replaced. */
type PublicKeys = Readonly<Record<BusUser, string | readonly string[]>>;

/**
 * The part of a NATS server's configuration that this platform needs: permissions, derived from the registry, the largest
 * message, the most pending bytes, how soon the connection of a process that hangs is closed, and JetStream.
 * The operator adds where the server listens, and where it stores.
 */
export function natsServerConfig(publicKeys: PublicKeys, maxMessageBytes: number): string {
  return configuration(maxMessageBytes, 'authorization', { users: usersWith(publicKeys) });
}

/** The same for several isolated platforms on one NATS server: each platform has a NATS account with users of its own. */
export function natsAccountsConfig(platforms: readonly PublicKeys[], maxMessageBytes: number): string {
  const accounts = platforms.map(
    (keys, index) => [`PLATFORM_${index}`, { users: usersWith(keys), jetstream: 'enabled' }] as const,
  );
  return configuration(maxMessageBytes, 'accounts', Object.fromEntries(accounts));
}

function usersWith(publicKeys: PublicKeys): object[] {
  return busUsers.flatMap((user) => {
    const { publish, subscribe } = permissionsOf(user);
    const permissions = {
      publish: { allow: publish },
      subscribe: { allow: subscribe },
      allow_responses: permittedResponses,
    };
    return [publicKeys[user]].flat().map((nkey) => ({ nkey, permissions }));
  });
}

function configuration(maxMessageBytes: number, block: string, content: object): string {
  const jetstream = { max_file_store: JETSTREAM_FILE_BYTES, max_memory_store: JETSTREAM_MEMORY_BYTES };
  return [
    `max_payload: ${maxMessageBytes}`,
    `max_pending: ${MAX_PENDING_BYTES}`,
    // A process that hangs leaves its queue groups soon; by the server's default, after minutes.
    `ping_interval: "${timeouts.busPingInterval}ms"`,
    `ping_max: ${timeouts.busPingsUnanswered}`,
    `jetstream: ${JSON.stringify(jetstream)}`,
    // NATS reads JSON as its own configuration syntax.
    `${block}: ${JSON.stringify(content, null, 2)}`,
    '',
  ].join('\n');
}
