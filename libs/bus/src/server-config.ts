import { type BusUser, busUsers, permissionsOf, timeouts } from '@action-platform/contracts';
import { permittedResponses } from './long-answers/protocol.ts';
import { createNkey } from './nkey.ts';

/** The nkey of a bus user: the public key goes to the NATS server, the seed to the user alone. */
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
 * The part of a NATS server's configuration that this platform needs: who may do what, derived from the
 * registry, the largest message, and how soon a process that hangs is let go. Where the server listens is the operator's to add.
 */
export function natsServerConfig(publicKeys: PublicKeys, maxMessageBytes: number): string {
  return configuration(maxMessageBytes, 'authorization', { users: usersWith(publicKeys) });
}

/**
 * The same for several platforms that share a NATS server and hear nothing of each other: each has a NATS account
 * with users of its own.
 */
export function natsAccountsConfig(platforms: readonly PublicKeys[], maxMessageBytes: number): string {
  const accounts = platforms.map((keys, index) => [`PLATFORM_${index}`, { users: usersWith(keys) }] as const);
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
  return [
    `max_payload: ${maxMessageBytes}`,
    // A process that hangs leaves its queue groups soon; by the server's own default, after minutes.
    `ping_interval: "${timeouts.busPingInterval}ms"`,
    `ping_max: ${timeouts.busPingsUnanswered}`,
    // NATS reads JSON as its own configuration syntax.
    `${block}: ${JSON.stringify(content, null, 2)}`,
    '',
  ].join('\n');
}
