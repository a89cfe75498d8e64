import { setTimeout as delay } from 'node:timers/promises';
import { trustedUrl } from '@action-platform/contracts/configuration';
import { AnswerTooLarge, readAtMost } from '@action-platform/outbound-http';
import type { Logger } from '@action-platform/service-host';
import { gauge } from '@action-platform/telemetry';
import { createRemoteJWKSet, customFetch, errors, type JWTHeaderParameters } from 'jose';
import { z } from 'zod';

/**
 * The time until cached keys expire, in milliseconds. A key that its issuer has withdrawn stops verifying within a minute.
 * A shorter outage of the issuer does not affect sessions that were verified before.
 */
const USABLE_MS = 60_000;
/** The age at which keys are fetched again in the background, in milliseconds. */
const REFRESH_MS = 20_000;
/** The least time between two fetches, in milliseconds, whatever keys forged tokens name. */
const COOLDOWN_MS = 5_000;

/** How long an issuer may take to answer, in milliseconds. */
const LONGEST_FETCH_MS = 5_000;
/** How long a check may wait for a fetch, in milliseconds. */
const CHECK_MS = 1_000;

/** The most bytes of a key set. */
const SET_BYTES = 256 * 1024;
/** The most keys of a set: a token without a key id is verified with each of its algorithm. */
const SET_KEYS = 100;

/** The keys of an issuer are unreachable. The message has the reason, without input. */
export class KeysUnreachable extends Error {}

/** An issuer with the URL of its keys; without one, its metadata name it. */
interface IssuerOfKeys {
  readonly issuer: string;
  readonly jwks_url?: string | undefined;
}

/** The public keys of an issuer (RFC 7517), cached for USABLE_MS. */
export class IssuerKeys {
  readonly #remote: ReturnType<typeof createRemoteJWKSet>;
  readonly #log: Logger;
  readonly #host: string;
  #fetching: Promise<void> | undefined;
  /** The starts of the last successful fetch and of the last fetch, in milliseconds of `performance.now()`. */
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  /** The failure of the last fetch; undefined when it succeeded. */
  #failure: KeysUnreachable | undefined;

  constructor({ issuer, jwks_url }: IssuerOfKeys, log: Logger) {
    this.#log = log.child({ issuer, jwks_url });
    const url = new URL(jwks_url ?? metadataOf(issuer));
    this.#host = url.host;
    gauge(
      'session.issuer.reachable',
      () => {
        this.keepFresh();
        return Number(this.#failure === undefined);
      },
      { issuer },
    );
    // `IssuerKeys` decides when to fetch, not jose.
    this.#remote = createRemoteJWKSet(url, {
      cacheMaxAge: Number.POSITIVE_INFINITY,
      cooldownDuration: Number.POSITIVE_INFINITY,
      timeoutDuration: LONGEST_FETCH_MS,
      [customFetch]: jwks_url === undefined ? byMetadata(issuer) : fetchBounded,
    });
  }

  /** The expiry of signatures verified with the present keys, in milliseconds of `performance.now()`. */
  get usableUntil(): number {
    return this.#fetchedAt + USABLE_MS;
  }

  /** The host of the keys, and whether they can be fetched; fetches old ones first, within a second. */
  async reachable(): Promise<{ host: string; isReachable: boolean }> {
    const isOld = performance.now() >= this.#fetchedAt + REFRESH_MS;
    if (isOld)
      await Promise.race([this.#fetch().catch(() => {}), delay(CHECK_MS, undefined, { ref: false })]);
    return { host: this.#host, isReachable: this.#failure === undefined };
  }

  /** Fetches the keys again in the background when they are old enough. */
  keepFresh(): void {
    if (performance.now() >= this.#fetchedAt + REFRESH_MS) this.#fetch().catch(() => {});
  }

  /**
   * The keys that may have signed a token with this header: one, or all of its algorithm for a token without a key id.
   *
   * @param deadline the time until which to wait for the issuer, in milliseconds of `performance.now()`
   * @throws KeysUnreachable for an unknown key when the issuer is unreachable
   */
  async find(header: JWTHeaderParameters, deadline: number): Promise<CryptoKey[]> {
    if (performance.now() < this.usableUntil) this.keepFresh();
    else await this.#fetchUntil(deadline);
    try {
      return await this.#known(header);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.#fetchUntil(deadline);
      return await this.#known(header);
    }
  }

  async #known(header: JWTHeaderParameters): Promise<CryptoKey[]> {
    try {
      return [await this.#remote(header)];
    } catch (error) {
      if (error instanceof errors.JWKSMultipleMatchingKeys) return await Array.fromAsync(error);
      throw error;
    }
  }

  /** Fetches the keys, and waits for them until the deadline. */
  async #fetchUntil(deadline: number): Promise<void> {
    const { promise: late, reject } = Promise.withResolvers<void>();
    const leftMs = Math.min(deadline - performance.now(), LONGEST_FETCH_MS);
    const timer = setTimeout(() => reject(new KeysUnreachable('no answer in time')), leftMs);
    try {
      await Promise.race([this.#fetch(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Fetches the keys. Within COOLDOWN_MS of a fetch, its outcome counts. */
  async #fetch(): Promise<void> {
    const now = performance.now();
    if (this.#fetching === undefined && now >= this.#triedAt + COOLDOWN_MS) {
      this.#triedAt = now;
      this.#fetching = this.#reload(now).finally(() => {
        this.#fetching = undefined;
      });
    }
    await this.#fetching;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Fetches the keys and logs a changed outcome. Never rejects. */
  async #reload(now: number): Promise<void> {
    const failedBefore = this.#failure !== undefined;
    try {
      await this.#remote.reload();
      this.#fetchedAt = now;
      this.#failure = undefined;
      if (failedBefore) this.#log.info('JWKS reachable again');
    } catch (error) {
      this.#failure = new KeysUnreachable(describe(error));
      if (failedBefore) return;
      const left = Math.max(0, Math.round((this.usableUntil - now) / 1000));
      const consequence =
        left === 0 ? 'the gateway accepts no session token' : `cached keys expire in ${left} s`;
      this.#log.warn(`JWKS unreachable: ${this.#failure.message}; ${consequence}`);
    }
  }
}

/** Fetches a key set within its bounds. The library has one message for every status but 200, and reads an answer of any size. */
async function fetchBounded(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new KeysUnreachable(`answered with status ${response.status}`);
  }
  const body = await readAtMost(SET_BYTES, response.body ?? ReadableStream.from([]));
  if (keysIn(body) > SET_KEYS) throw new KeysUnreachable(`the set has more than ${SET_KEYS} keys`);
  return new Response(new Uint8Array(body));
}

const metadata = z.object({ issuer: z.string(), jwks_uri: trustedUrl });

/** Fetches the key set that the metadata of an issuer name (OpenID Connect Discovery 1.0, section 4). */
function byMetadata(issuer: string): typeof fetchBounded {
  return async (url, options) => {
    const { data } = metadata.safeParse(await (await fetchBounded(url, options)).json());
    if (data?.issuer !== issuer) throw new KeysUnreachable('the metadata of the issuer name no keys of it');
    return await fetchBounded(data.jwks_uri, options);
  };
}

function metadataOf(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** How many keys a set has; the library refuses a text that is no set. */
function keysIn(body: Buffer): number {
  try {
    return JSON.parse(body.toString()).keys.length;
  } catch {
    return 0;
  }
}

function describe(error: unknown): string {
  if (error instanceof KeysUnreachable) return error.message;
  if (error instanceof AnswerTooLarge) return 'the answer is too large';
  if (error instanceof errors.JWKSTimeout) return 'no answer in time';
  if (error instanceof errors.JOSEError) return 'the answer is not a JSON Web Key Set';
  const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : 'no connection';
}
