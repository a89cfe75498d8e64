import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** The issuer of the session tokens, which every contender trusts. */
export interface Issuer {
  readonly issuer: string;
  readonly audience: string;
  /** The URL of its keys (RFC 7517). */
  readonly jwksUrl: string;
  /** A session token for a Member of a Workspace, valid for 12 hours. */
  tokenFor(workspaceId: string, userId: string): Promise<string>;
}

const ALGORITHM = 'EdDSA';

/** Serves the keys of an issuer on a free port. */
export async function startIssuer(stops: AsyncDisposableStack): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const about = { kid: 'bench', alg: ALGORITHM, use: 'sig' };
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), ...about }] });
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/jwk-set+json' }).end(keys);
  });
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await listening;
  stops.defer(() => void server.close().closeAllConnections());
  const issuer = 'urn:action-platform:bench';
  const audience = 'action-platform';
  return {
    issuer,
    audience,
    jwksUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`,
    tokenFor: (workspaceId, userId) =>
      new SignJWT({ workspace_id: workspaceId })
        .setProtectedHeader({ alg: ALGORITHM, kid: about.kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(userId)
        .setIssuedAt()
        .setExpirationTime('12h')
        .sign(privateKey),
  };
}
