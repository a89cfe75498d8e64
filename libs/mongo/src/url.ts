import { ConnectionString } from 'mongodb-connection-string-url';

/** A user of MongoDB, which keeps all its users in `admin`. */
export interface DatabaseLogin {
  readonly user: string;
  readonly password: string;
}

/** Hosts and ports of a MongoDB URL. */
export function hostsOf(url: string): string[] {
  return new ConnectionString(url).hosts;
}

/** The names or IP addresses of the hosts of a MongoDB URL. */
export function hostNamesOf(url: string): string[] {
  return hostsOf(url).map((host) => host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'));
}

/** A MongoDB URL without user, password and authentication options. */
export function withoutLogin(url: string): string {
  const anybody = new ConnectionString(url);
  anybody.username = '';
  anybody.password = '';
  for (const name of ['authSource', 'authMechanism', 'authMechanismProperties'])
    anybody.searchParams.delete(name);
  return anybody.href;
}

/**
 * `url` with these credentials instead of its own.
 *
 * @param options parameters of the URL besides, such as `tlsCAFile`
 */
export function urlFor(
  { user, password }: DatabaseLogin,
  url: string,
  options: Readonly<Record<string, string | undefined>> = {},
): string {
  const theirs = new ConnectionString(withoutLogin(url));
  theirs.username = encodeURIComponent(user);
  theirs.password = encodeURIComponent(password);
  for (const [name, value] of Object.entries({ authSource: 'admin', ...options })) {
    if (value !== undefined) theirs.searchParams.set(name, value);
  }
  return theirs.href;
}

/** The same for a holder of the replica set's key file, by which members authenticate each other; it has every right. */
export function urlForMember(
  key: string,
  url: string,
  options: Readonly<Record<string, string | undefined>> = {},
): string {
  return urlFor({ user: '__system', password: key }, url, { ...options, authSource: 'local' });
}
