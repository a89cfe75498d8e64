import type { CallContext } from '@action-platform/service-host';
import type { Unavailable } from '../cause.ts';
import { type AccessTokens, basic } from './access-tokens.ts';
import type { Connectors } from './connectors.ts';
import type { StoredConnector, ToldEvent } from './stored-connector.ts';

/** The headers that authenticate a request, and the texts in them that no message may repeat. */
export interface Credential {
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** The token of client credentials, which a 401 ends. */
  readonly accessToken?: string;
}

/** Whether an API that answers 401 or 403 refuses the credential of a connector. */
export function hasCredential({ auth }: Pick<StoredConnector, 'auth'>): boolean {
  return auth.type !== 'none' && auth.type !== 'platform';
}

const NONE: Credential = { headers: {}, secrets: [] };

/** The credentials of the connectors with one; the requests of others have none, or the token of the platform. */
export class Credentials {
  readonly #connectors: Connectors;
  readonly #tokens: AccessTokens;

  constructor(connectors: Connectors, tokens: AccessTokens) {
    this.#connectors = connectors;
    this.#tokens = tokens;
  }

  /** The credential for a request of a connector; without one the request is not sent. */
  async of(connector: StoredConnector, { log }: Pick<CallContext, 'log'>): Promise<Credential | Unavailable> {
    const { auth, _id: connector_id } = connector;
    if (auth.type === 'none' || auth.type === 'platform') return NONE;
    const secret = this.#secretOf(connector);
    if (secret === undefined) {
      log.error({ connector_id }, 'the secret of a connector does not open; its calls are refused');
      return { is: 'unavailable', cause: 'credential_unreadable' };
    }
    if (auth.type !== 'client_credentials') return fixedCredential(auth, secret);
    const accessToken = await this.#tokens.of(connector, secret);
    if (accessToken === undefined) return { is: 'unavailable', cause: 'credential_refused' };
    return ofAccessToken(accessToken, secret);
  }

  /** The credential of a connector that needs no request for an access token; undefined when it needs one, or does not open. */
  atHand(connector: StoredConnector): Credential | undefined {
    const { auth } = connector;
    if (auth.type === 'none' || auth.type === 'platform') return NONE;
    const secret = this.#secretOf(connector);
    if (secret === undefined) return undefined;
    if (auth.type !== 'client_credentials') return fixedCredential(auth, secret);
    const accessToken = this.#tokens.known(connector);
    return accessToken === undefined ? undefined : ofAccessToken(accessToken, secret);
  }

  /** Has the access token of a credential fetched anew that an API refused with 401. */
  dropRefused(connector: StoredConnector, { accessToken }: Credential, status: number): void {
    if (status === 401 && accessToken !== undefined) this.#tokens.drop(connector, accessToken);
  }

  /** Tells Owners of an event, in the background. */
  tell(connector: StoredConnector, event: ToldEvent, { log }: Pick<CallContext, 'log'>): void {
    const connector_id = connector._id;
    this.#connectors
      .tell(connector, event)
      .catch((err: unknown) =>
        log.warn({ err, connector_id, event }, 'the event of a connector was not stored'),
      );
  }

  #secretOf(connector: StoredConnector): string | undefined {
    try {
      return this.#connectors.secretOf(connector);
    } catch {
      return undefined;
    }
  }
}

/** The credential that is a secret itself. */
function fixedCredential(
  auth: Extract<StoredConnector['auth'], { type: 'header' | 'bearer' | 'basic' }>,
  secret: string,
): Credential {
  if (auth.type === 'header') return { headers: { [auth.name.toLowerCase()]: secret }, secrets: [secret] };
  if (auth.type === 'bearer') return withAuthorization(`Bearer ${secret}`, secret);
  return withAuthorization(basic(auth.login, secret), secret);
}

function ofAccessToken(accessToken: string, secret: string): Credential {
  return { ...withAuthorization(`Bearer ${accessToken}`, secret), accessToken };
}

function withAuthorization(authorization: string, secret: string): Credential {
  return {
    headers: { authorization },
    secrets: [secret, authorization.slice(authorization.indexOf(' ') + 1)],
  };
}
