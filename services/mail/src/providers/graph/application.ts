import { DELEGATED_PREFIX, type mailProviders } from '@action-platform/contracts';
import type { AuthenticationResult, Configuration } from '@azure/msal-node';
import type { z } from 'zod';
import type { Account } from '../provider.ts';
import { LoginNetwork } from './login-network.ts';

/** The settings of a mailbox of Microsoft 365. */
export type GraphSettings = z.output<typeof mailProviders.graph.settings>;

/** A mailbox of Microsoft 365. */
export type GraphAccount = Account<GraphSettings>;

/** How long before its end a person's access token is renewed, in milliseconds. */
const RENEWED_BEFORE_MS = 300_000;

/** A registered application, or a person who signed in to one. */
export interface Application {
  readonly network: LoginNetwork;
  /** Returns an access token. @param isFresh requests one, whatever is cached. */
  acquire(isFresh: boolean): Promise<string>;
}

/** Opens the application of an account, with the permissions that it, or the person of the secret, has been given. */
export async function openApplication({ settings, secret = '' }: GraphAccount): Promise<Application> {
  // The library takes 36 MB, which a platform without such mailboxes need not load.
  const msal = await import('@azure/msal-node');
  const network = new LoginNetwork();
  const scopes = [new URL('/.default', settings.graph_url).href];
  const auth = {
    clientId: settings.client_id,
    authority: new URL(encodeURIComponent(settings.tenant), settings.login_url).href,
    // Otherwise it would ask Microsoft's global cloud about the host.
    knownAuthorities: [new URL(settings.login_url).host],
  };
  const configuration: Configuration = {
    auth,
    system: { networkClient: network, disableInternalRetries: true },
  };

  if (!secret.startsWith(DELEGATED_PREFIX)) {
    const withSecret = { ...configuration, auth: { ...auth, clientSecret: secret } };
    const application = new msal.ConfidentialClientApplication(withSecret);
    const acquire = (skipCache: boolean) => application.acquireTokenByClientCredential({ scopes, skipCache });
    return { network, acquire: async (isFresh) => (await acquire(isFresh))!.accessToken };
  }

  const refreshToken = secret.slice(DELEGATED_PREFIX.length);
  const application = new msal.PublicClientApplication(configuration);
  let last: AuthenticationResult | null = null;
  return {
    network,
    acquire: async (isFresh) => {
      // The library would not find the token again: an answer names the scopes that `.default` stands for.
      const isValid = (last?.expiresOn?.getTime() ?? 0) > Date.now() + RENEWED_BEFORE_MS;
      if (last !== null && isValid && !isFresh) return last.accessToken;
      const person = last?.account ?? null;
      last =
        person === null
          ? await application.acquireTokenByRefreshToken({ scopes, refreshToken, forceCache: true })
          : await application.acquireTokenSilent({ account: person, scopes, forceRefresh: true });
      return last!.accessToken;
    },
  };
}
