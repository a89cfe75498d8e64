import type { CustomOperation } from '@action-platform/contracts/operations';
import type { CallContext } from '@action-platform/service-host';
import type { Unavailable } from '../cause.ts';
import type { Credential, Credentials } from '../connectors/credentials.ts';
import type { StoredConnector } from '../connectors/stored-connector.ts';
import type { SigningKeys } from '../signing/signing-keys.ts';
import { callToken, type TokenCaller } from '../signing/token.ts';

/** How the requests of a call authenticate. */
export interface Authorizing {
  /** @param body of the request as it is sent. */
  readonly credentialFor: (body: string | undefined) => Promise<Credential | Unavailable>;
  /** A credential that names no Member and needs no request of its own, for a request after the call. Undefined without one. */
  readonly afterwards: () => Credential | undefined;
  /** Sees the status of an answer to a request with a credential. */
  readonly answered: (credential: Credential, status: number) => void;
}

/** A call whose requests authenticate. */
interface Authorized {
  /** Undefined for an endpoint of an operation's own. */
  readonly connector: StoredConnector | undefined;
  readonly url: string;
  /** The called operation, or the route in its place. */
  readonly operation: Pick<CustomOperation, 'id' | 'revision'>;
}

interface AuthorizationOptions {
  readonly credentials: Credentials;
  readonly keys: SigningKeys;
  /** The URL at which callers reach the gateway. */
  readonly platform: string | undefined;
}

/** Authenticates requests: with the credential of a connector, or with a token of the platform where the server trusts that. */
export class Authorization {
  readonly #options: AuthorizationOptions;

  constructor(options: AuthorizationOptions) {
    this.#options = options;
  }

  /** How the requests of a call authenticate. */
  of({ connector, url, operation }: Authorized, caller: TokenCaller & Pick<CallContext, 'log'>): Authorizing {
    const { credentials } = this.#options;
    if (connector !== undefined && connector.auth.type !== 'platform')
      return {
        credentialFor: () => credentials.of(connector, caller),
        afterwards: () => credentials.atHand(connector),
        answered: (credential, status) => credentials.dropRefused(connector, credential, status),
      };
    return {
      credentialFor: (body) => this.#token({ url, operation }, body, caller),
      afterwards: () => undefined,
      answered: () => {},
    };
  }

  async #token(
    { url, operation }: Omit<Authorized, 'connector'>,
    body: string | undefined,
    caller: TokenCaller,
  ): Promise<Credential | Unavailable> {
    const { keys, platform } = this.#options;
    const key = keys.current();
    if (key === undefined || platform === undefined) return { is: 'unavailable', cause: 'no_signing_key' };
    const token = await callToken(key, platform, operation, { url, body }, caller);
    return { headers: { authorization: `Bearer ${token}` }, secrets: [token] };
  }
}
