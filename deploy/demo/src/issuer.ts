import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { jwksResponse, localDirectory, makeDirectories, openIssuerKey } from '@action-platform/local';

/**
 * Serves the demo issuer's public key as a JWK Set over https on port 8443, with certificate and key from
 * `ISSUER_CERTIFICATE_FILE`. Its private key is created at the first start, in `LOCAL_DIR`.
 */
const directory = localDirectory(process.env);
makeDirectories(directory);
const pem = readFileSync(process.env.ISSUER_CERTIFICATE_FILE ?? '');
const server = createServer({ cert: pem, key: pem }, jwksResponse(await openIssuerKey(directory)));
server.listen(8443);

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    server.close();
    server.closeIdleConnections();
  });
}
