import { lookup } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Exits with 1 and says what to set, unless an issuer of session tokens is configured completely, or the demo's issuer runs
 * (`DEMO_ISSUER` is its name on the network) or starts within `DEMO_ISSUER_WAIT_MS`.
 */
const names = ['SESSION_ISSUER', 'SESSION_AUDIENCE', 'SESSION_JWKS_URL'] as const;
const missing = names.filter((name) => !process.env[name]);
const isDemo = missing.length === names.length && (await exists(process.env.DEMO_ISSUER ?? ''));
if (missing.length > 0 && !isDemo) {
  process.stderr.write(`Nobody would sign session tokens: ${missing.join(', ')} not set.

Set the issuer of your sign-in in the file .env beside docker-compose.yml (docs/sign-in.md):

  SESSION_ISSUER=https://sso.example.com/realms/acme
  SESSION_AUDIENCE=action-platform
  SESSION_JWKS_URL=https://sso.example.com/realms/acme/protocol/openid-connect/certs

or start the demo, which has an issuer of its own: docker compose --profile demo up
`);
  process.exitCode = 1;
}

async function exists(host: string): Promise<boolean> {
  const end = performance.now() + Number(process.env.DEMO_ISSUER_WAIT_MS ?? 0);
  for (;;) {
    const isResolved = await lookup(host).then(
      () => true,
      () => false,
    );
    if (isResolved || performance.now() >= end) return isResolved;
    await delay(100);
  }
}
