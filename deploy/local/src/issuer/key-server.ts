import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IssuerKey } from './key.ts';

/** Serves the issuer's public key as a JWK Set (RFC 7517, section 5) on a free port; returns its address. */
export async function serveIssuerKeys({ publicKey }: IssuerKey): Promise<string> {
  const body = JSON.stringify({ keys: [publicKey] });
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/jwk-set+json' }).end(body);
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/jwks.json`;
}
