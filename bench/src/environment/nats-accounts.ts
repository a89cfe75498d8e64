/** The part of a nats-server's configuration that one version of the platform needs, as its own code writes it. */
export interface PlatformBusConfig {
  readonly account: string;
  readonly config: string;
}

/**
 * One nats-server for all contenders: an account for each version of the platform, with its users and permissions, and one for
 * clients without credentials. Accounts are isolated from each other.
 */
export function natsServerConfigOf(platforms: readonly PlatformBusConfig[]): string {
  const parts = platforms.map(({ account, config }) => ({ account, ...split(config) }));
  const accounts = Object.fromEntries(
    parts.map(({ account, authorization }) => [account, { users: authorization.users }]),
  );
  const others = { users: [{ user: 'bench', password: 'bench' }] };
  return [
    parts[0]?.settings ?? '',
    `accounts: ${JSON.stringify({ others, ...accounts }, null, 2)}`,
    'no_auth_user: bench',
    '',
  ].join('\n');
}

/** Splits a configuration into its users, which are JSON, and the settings before them. */
function split(config: string): { settings: string; authorization: { users: unknown } } {
  const [, settings, authorization] = /^(.*?)authorization:\s*(\{.*\})\s*$/s.exec(config) ?? [];
  if (settings === undefined || authorization === undefined) {
    throw new Error(
      'This version of the platform configures nats-server in a way that the bench does not know.',
    );
  }
  return { settings, authorization: JSON.parse(authorization) };
}
