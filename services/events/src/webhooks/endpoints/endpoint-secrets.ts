import { openSecret, type SecretKeys, type StoredSecrets, sealSecret } from '@action-platform/sealing';
import type { Collection } from 'mongodb';
import { newSigningSecret } from '../sending/signature.ts';
import type { EndpointId, StoredEndpoint, StoredSecret } from './stored-endpoint.ts';

/** How long the former secret signs after a rotation, in milliseconds. */
const FORMER_SIGNS_MS = 24 * 3_600_000;
/** How many former secrets sign at most: the oldest one ends early when there are more rotations in a day. */
const FORMERS_MAX = 4;

/** A new secret, in clear and as it is stored. */
interface NewSecret {
  readonly secret: string;
  readonly stored: StoredSecret;
}

/** Creates a secret for an endpoint. */
export function createSecret(endpoint: EndpointId, keys: SecretKeys, now: Date): NewSecret {
  const secret = newSigningSecret();
  return { secret, stored: sealedFor(endpoint, secret, keys, now) };
}

/** A text of an endpoint that only its requests need, as it is stored: a secret, or the URL of a chat. */
export function sealedFor(
  { workspace_id, _id }: EndpointId,
  text: string,
  keys: SecretKeys,
  now: Date,
): StoredSecret {
  return { sealed: sealSecret(text, [workspace_id, _id], keys), created_at: now, ends_at: null };
}

/** The fields of an endpoint with another URL; the URL of a form for people is sealed, and shown as its origin. */
export function newUrl(endpoint: StoredEndpoint, url: string, keys: SecretKeys) {
  if (endpoint.form === undefined) return { url };
  return { url: new URL(url).origin, secrets: [sealedFor(endpoint, url, keys, new Date())] };
}

/** The secrets of an endpoint after a rotation: the former secret signs for a day more. */
export function rotated(
  newest: StoredSecret,
  [before, ...formers]: readonly StoredSecret[],
  now: Date,
): StoredSecret[] {
  const ending = { ...before!, ends_at: new Date(now.getTime() + FORMER_SIGNS_MS) };
  const stillSigning = [ending, ...formers].filter((secret) => signs(secret, now.getTime()));
  return [newest, ...stillSigning.slice(0, FORMERS_MAX)];
}

/** The secrets that sign at a time, newest first. Throws SecretUnreadable. */
export function signingSecrets(
  { workspace_id, _id, secrets }: StoredEndpoint,
  keys: SecretKeys,
  at: number,
): string[] {
  return secrets
    .filter((stored) => signs(stored, at))
    .map(({ sealed }) => openSecret(sealed, [workspace_id, _id], keys));
}

/** The secrets of all endpoints. */
export function secretsOf(collection: Collection<StoredEndpoint>): StoredSecrets<StoredEndpoint> {
  return {
    collection,
    field: 'secrets',
    keyPath: 'secrets.sealed.key',
    // A change that began before would store the former secrets again: the revision makes it begin anew.
    update: ({ secrets }, seal) => ({
      $set: { secrets: secrets.map((secret) => ({ ...secret, sealed: seal(secret.sealed) })) },
      $inc: { revision: 1 },
    }),
  };
}

function signs({ ends_at }: StoredSecret, now: number): boolean {
  return ends_at === null || ends_at.getTime() > now;
}
