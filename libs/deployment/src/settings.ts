import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { hostNamesOf, withoutLogin } from '@action-platform/mongo';

/** The addresses at which the servers and services of a deployment reach each other. */
export interface Settings {
  readonly seenAt: string;
  readonly busHosts: readonly string[];
  /** The URL of MongoDB. Credentials in it are not stored. */
  readonly databaseUrl: string;
  /** Host names of further servers that get a certificate. */
  readonly certified?: readonly string[];
  readonly maxMessageBytes: number;
}

/** The stored form of settings. */
export function withoutSecrets(settings: Settings): Settings {
  return { ...settings, databaseUrl: withoutLogin(settings.databaseUrl) };
}

/** The host names and IP addresses of each server's certificate. */
export function hostsByServer({
  busHosts,
  databaseUrl,
  certified = [],
}: Settings): Record<string, readonly string[]> {
  return {
    nats: busHosts,
    mongodb: hostNamesOf(databaseUrl),
    ...Object.fromEntries(certified.map((host) => [host, [host]])),
  };
}

/** Whether a certificate, in PEM (RFC 7468), covers a host name or an IP address (RFC 9525). */
export function isCertified(host: string, certificate: string | undefined): boolean {
  if (certificate === undefined) return false;
  const read = new X509Certificate(certificate);
  return (isIP(host) === 0 ? read.checkHost(host, { subject: 'never' }) : read.checkIP(host)) !== undefined;
}
