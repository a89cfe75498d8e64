import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gauge } from '@action-platform/telemetry';

/** A certificate in PEM (RFC 7468). */
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Measures for how many seconds the authorities in a file are valid, the least of them: a deployment certifies all its servers together
 * with its authority, until the same time. `measureAuthority` reads the file at each collection, as a rotation replaces it.
 */
export function measureAuthority(file: string | undefined): void {
  if (file === undefined) return;
  gauge('tls.authority.valid', () => {
    const certificates = readFileSync(file, 'utf8').match(CERTIFICATE) ?? [];
    const ends = certificates.map((pem) => Date.parse(new X509Certificate(pem).validTo));
    return (Math.min(...ends) - Date.now()) / 1_000;
  });
}
