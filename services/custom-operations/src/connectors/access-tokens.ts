import { isDefect } from '@action-platform/contracts/errors';
import type { Sender } from '@action-platform/outbound-http';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { StoredConnector } from './stored-connector.ts';

/** How many connectors have a token in a process. */
const KEPT = 1_000;
/** How long a request for a token may take, in milliseconds. */
const REQUEST_MS = 5_000;
const ANSWER_MAX_BYTES = 64 * 1024;
/** How long a token without `expires_in` is used, and how long before its end no more, in milliseconds. */
const [WITHOUT_END_MS, BEFORE_END_MS] = [300_000, 30_000];

/** RFC 6749, section 5.1; a token goes into a header. */
const tokenAnswer = z.object({
  access_token: z.string().regex(/^[!-~]{1,8192}$/),
  expires_in: z.number().positive().optional(),
});

interface Token {
  readonly text: string;
  readonly usedUntil: number;
}

interface Fetched {
  /** The change of the connector that the token belongs to. */
  readonly change: number;
  /** Undefined when the server gave none. */
  readonly token: Promise<Token | undefined>;
  /** Absent while the token is fetched. */
  got?: Token | undefined;
}

/** The access tokens of connectors with client credentials (RFC 6749, section 4.4), one of each in a process. */
export class AccessTokens {
  readonly #sender: Sender;
  readonly #fetched = new LRUCache<string, Fetched>({ max: KEPT });

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** The token of a connector: all calls share one, and a request for it. Undefined when its server gives none. */
  async of(connector: StoredConnector, secret: string): Promise<string | undefined> {
    const { _id, change } = connector;
    const known = this.#fetched.get(_id);
    const isCurrent = known?.change === change && (known.got?.usedUntil ?? Infinity) > performance.now();
    if (isCurrent) return (await known.token)?.text;
    const fetched: Fetched = { change, token: this.#fetch(connector, secret) };
    // A call that read the connector before its last change leaves the token of the present one.
    if (known === undefined || known.change <= change) this.#fetched.set(_id, fetched);
    const forget = () => {
      if (this.#fetched.get(_id) === fetched) this.#fetched.delete(_id);
    };
    fetched.token.then((got) => {
      fetched.got = got;
      if (got === undefined) forget();
    }, forget);
    return (await fetched.token)?.text;
  }

  /** The token of a connector that was fetched and has not ended. */
  known({ _id, change }: StoredConnector): string | undefined {
    const known = this.#fetched.get(_id);
    const isCurrent = known?.change === change && (known.got?.usedUntil ?? 0) > performance.now();
    return isCurrent ? known.got?.text : undefined;
  }

  /** Forgets a token that the API refused, unless another one has taken its place. */
  drop({ _id }: StoredConnector, text: string): void {
    if (this.#fetched.get(_id)?.got?.text === text) this.#fetched.delete(_id);
  }

  async #fetch({ auth }: StoredConnector, secret: string): Promise<Token | undefined> {
    if (auth.type !== 'client_credentials') return undefined;
    const { tokenUrl, clientId, scope } = auth;
    const asked = { grant_type: 'client_credentials', ...(scope !== undefined && { scope }) };
    const begunAt = performance.now();
    const answer = await this.#sender
      .send({
        method: 'POST',
        url: tokenUrl,
        headers: {
          authorization: basic(formEncoded(clientId), formEncoded(secret)),
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
          'user-agent': 'action-platform',
        },
        body: new URLSearchParams(asked).toString(),
        signal: AbortSignal.timeout(REQUEST_MS),
        isRepeatable: false,
        maxBytes: ANSWER_MAX_BYTES,
      })
      .catch((error: unknown) => {
        if (isDefect(error)) throw error;
      });
    if (answer?.status !== 200 || answer.body === undefined) return undefined;
    const read = tokenAnswer.safeParse(parsed(answer.body.toString())).data;
    if (read === undefined) return undefined;
    const lastsMs = read.expires_in === undefined ? WITHOUT_END_MS : read.expires_in * 1_000 - BEFORE_END_MS;
    return { text: read.access_token, usedUntil: begunAt + lastsMs };
  }
}

/** The value of the header Authorization for a user and a password (RFC 7617). */
export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** RFC 6749, section 2.3.1: the parts of client credentials are encoded as in a form. */
function formEncoded(text: string): string {
  return new URLSearchParams({ text }).toString().slice('text='.length);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
