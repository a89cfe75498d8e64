import { freePort } from '@action-platform/local-servers';
import { LocalPlatform } from '../../../e2e/src/local-platform.ts';
import { startAuthorizationServer } from './mcp/authorization-server.ts';

const platform = new LocalPlatform();
let stopServer: () => void;

/** Starts the platform of the test files, and the authorization server at which Members of its demo Workspace sign in. */
export async function globalSetup(): Promise<void> {
  const [PUBLIC_URL, port] = [`http://127.0.0.1:${await platform.port()}`, await freePort()];
  const [resource, issuer] = [`${PUBLIC_URL}/mcp`, `http://127.0.0.1:${port}`];
  const workspace = () => platform.demo.workspace_id;
  stopServer = await startAuthorizationServer(port, { resource, workspace });
  Object.assign(platform.environment, {
    ...{ PUBLIC_URL, MCP_AUTHORIZATION_SERVERS: issuer },
    ...{ SESSION_ISSUER: issuer, SESSION_AUDIENCE: 'action-platform', SESSION_JWKS_URL: `${issuer}/jwks` },
  });
  await platform.start();
  // Node.js starts the processes of the test files with this environment.
  process.env.PLATFORM_DIRECTORY = platform.directory;
}

/** Ends both. */
export async function globalTeardown(): Promise<void> {
  await platform.remove();
  stopServer();
}
