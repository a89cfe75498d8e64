// The dependency injection of `@peculiar/x509` needs this import first.
import 'reflect-metadata';
import { KeyObject, type webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** The certificates of a certificate authority and of the servers that it certified, in PEM (RFC 7468). */
export interface Certificates {
  readonly authority: string;
  /** Certificate followed by private key, by the name of the server. */
  readonly servers: Readonly<Record<string, string>>;
  /** ISO 8601. */
  readonly validUntil: string;
}

/** 825 days, the longest life of a server certificate that Apple's clients accept. */
const LIFE_MS = 825 * 24 * 3_600_000;
/** A certificate is also valid on machines whose clocks are slow by up to this time. */
const CLOCK_SKEW_MS = 3_600_000;

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/**
 * Creates a certificate authority (RFC 5280) and a certificate with a key for each server. `createCertificates` discards the private key of
 * the authority, so a rotation replaces all certificates together with their authority.
 *
 * @param hosts names or IP addresses by server
 */
export async function createCertificates(
  hosts: Readonly<Record<string, readonly string[]>>,
): Promise<Certificates> {
  const notBefore = new Date(Date.now() - CLOCK_SKEW_MS);
  const notAfter = new Date(Date.now() + LIFE_MS);
  const life = { notBefore, notAfter, signingAlgorithm: ALGORITHM };
  const authorityKeys = await createKeys();
  const authority = await X509CertificateGenerator.createSelfSigned({
    ...life,
    name: `CN=Action Platform ${crypto.randomUUID().slice(0, 8)}`,
    keys: authorityKeys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      await SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const certify = async ([server, names]: [string, readonly string[]]) => {
    const keys = await createKeys();
    const certificate = await X509CertificateGenerator.create({
      ...life,
      subject: `CN=${server}`,
      issuer: authority.subject,
      publicKey: keys.publicKey,
      signingKey: authorityKeys.privateKey,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        await AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
        // A member of a replica set is a client of the others.
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
        new SubjectAlternativeNameExtension(
          names.map((host) => ({ type: isIP(host) === 0 ? 'dns' : 'ip', value: host })),
        ),
      ],
    });
    return [server, `${certificate.toString('pem')}\n${pemOf(keys.privateKey)}`] as const;
  };
  return {
    authority: `${authority.toString('pem')}\n`,
    servers: Object.fromEntries(await Promise.all(Object.entries(hosts).map(certify))),
    validUntil: notAfter.toISOString(),
  };
}

async function createKeys(): Promise<webcrypto.CryptoKeyPair> {
  return await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

/** A private key as PKCS #8 (RFC 5958) in PEM (RFC 7468). */
function pemOf(key: webcrypto.CryptoKey): string {
  return String(KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }));
}
