import { ConnectionString } from 'mongodb-connection-string-url';

/** A user of MongoDB, stored in the database `admin` like all users. */
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
  const bare = new ConnectionString(url);
  bare.username = '';
  bare.password = '';
  for (const name of ['authSource', 'authMechanism', 'authMechanismProperties'])
    bare.searchParams.delete(name);
  return bare.href;
}

/**
 * `url` with these credentials instead of its own.
 *
 * @param options further parameters of the URL, such as `tlsCAFile`
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

/** `url` with the replica set's key, by which members authenticate each other; this login has all rights. */
export function urlForMember(
  key: string,
  url: string,
  options: Readonly<Record<string, string | undefined>> = {},
): string {
  return urlFor({ user: '__system', password: key }, url, { ...options, authSource: 'local' });
}
