import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { hostNamesOf, withoutLogin } from '@action-platform/mongo';

/** Where the parts of a deployment are for each other. */
export interface Place {
  /** The folder of the deployment as servers and services see it. */
  readonly seenAt: string;
  /** Host names or IP addresses of the NATS servers. */
  readonly busHosts: readonly string[];
  /** The MongoDB that services use: its URL. Credentials in it are not kept. */
  readonly databaseUrl: string;
  /** Host names of further servers that are to have a certificate. */
  readonly certified?: readonly string[];
  /** The largest message on the bus, in bytes. */
  readonly maxMessageBytes: number;
}

/** A place as it is written down. */
export function withoutSecrets(place: Place): Place {
  return { ...place, databaseUrl: withoutLogin(place.databaseUrl) };
}

/** The host names and IP addresses that each certificate is to be for, by the name of the server that has it. */
export function hostsByServer({
  busHosts,
  databaseUrl,
  certified = [],
}: Place): Record<string, readonly string[]> {
  return {
    nats: busHosts,
    mongodb: hostNamesOf(databaseUrl),
    ...Object.fromEntries(certified.map((host) => [host, [host]])),
  };
}

/** Whether a certificate, in PEM (RFC 7468), is for a host name or an IP address (RFC 9525). */
export function isCertified(host: string, certificate: string | undefined): boolean {
  if (certificate === undefined) return false;
  const read = new X509Certificate(certificate);
  return (isIP(host) === 0 ? read.checkHost(host, { subject: 'never' }) : read.checkIP(host)) !== undefined;
}
