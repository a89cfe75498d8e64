import { closeSync, constants, copyFileSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { DELEGATED_PREFIX, mailProviders } from '@action-platform/contracts/calls';
import type { PublicClientApplication } from '@azure/msal-node';
import { z } from 'zod';
import type { Command } from './command.ts';

const input = z.object({
  ...mailProviders.graph.settings.shape,
  secret_file: z.string().min(1).meta({
    description: 'Where to write the secret, for app connect and sender add; no file may be there.',
  }),
});

/** The command makes no call: the person signs in at Microsoft Entra ID (RFC 8628), and the platform gets only the secret. */
export const mailSignIn: Command<typeof input> = {
  name: 'mail sign-in',
  summary:
    'Signs a person in to Microsoft 365 with a code for a browser, and writes the secret of their mailbox to a file.',
  input,
  run: async function* ({ tenant, client_id, login_url, graph_url, secret_file }) {
    if (existsSync(secret_file)) throw new Error(`--secret-file: ${secret_file} exists.`);
    // The command makes a file before the person signs in: a path that takes no file would lose the secret.
    const draft = `${secret_file}.${process.pid}.new`;
    const file = openSync(draft, 'wx', 0o600);
    try {
      // Every other command does without the library.
      const { PublicClientApplication } = await import('@azure/msal-node');
      const application = new PublicClientApplication({
        auth: {
          clientId: client_id,
          authority: new URL(encodeURIComponent(tenant), login_url).href,
          knownAuthorities: [new URL(login_url).host],
        },
      });
      const code = Promise.withResolvers<object>();
      const signingIn = application.acquireTokenByDeviceCode({
        scopes: [new URL('/Mail.ReadWrite', graph_url).href],
        deviceCodeCallback: ({ verificationUri, userCode, expiresIn }) =>
          code.resolve({ open: verificationUri, enter: userCode, within_seconds: expiresIn }),
      });
      signingIn.catch(code.reject);
      yield await code.promise;
      const signedIn = await signingIn;
      writeFileSync(file, `${DELEGATED_PREFIX}${refreshTokenOf(application)}\n`);
      copyFileSync(draft, secret_file, constants.COPYFILE_EXCL);
      yield { signed_in: signedIn?.account?.username, secret_file };
    } catch (error) {
      throw refusalIn(error) ?? error;
    } finally {
      closeSync(file);
      rmSync(draft, { force: true });
    }
  },
};

/** The refresh token of the one person who signed in. The library shows it in its serialized cache alone. */
function refreshTokenOf(application: PublicClientApplication): string {
  const cache = JSON.parse(application.getTokenCache().serialize()) as {
    RefreshToken?: Record<string, { secret: string }>;
  };
  const [token] = Object.values(cache.RefreshToken ?? {});
  if (token === undefined) throw new Error('Microsoft Entra ID gave no refresh token.');
  return token.secret;
}

/** An error of the library in one line, without the endpoint's texts; undefined for another error. */
function refusalIn(error: unknown): Error | undefined {
  const { errorCode, errorMessage = '' } = error as { errorCode?: string; errorMessage?: string };
  if (errorCode === undefined) return undefined;
  // Of a refusal while it waits for the person the library has the code as its message.
  const code = /^\w{1,50}$/.test(errorMessage) ? errorMessage : errorCode;
  return new Error(`Microsoft Entra ID refuses the sign-in (${code}).`);
}
