import { readFileSync } from 'node:fs';
import { localDirectory, prepareDemo } from '@action-platform/local';

/**
 * Makes the demo Workspace in a running platform, unless it is there, and writes `demo.json` with fresh tokens into
 * `LOCAL_DIR`, as `npm start` does. `NATS_URL` and the rest say how the operator reaches the platform, `DEMO_URL` how its callers do.
 */
const { NATS_URL = '', NATS_NKEY_SEED_FILE = '', NATS_CA_FILE, DEMO_URL = '' } = process.env;
const access = {
  nats_url: NATS_URL,
  admin_seed: readFileSync(NATS_NKEY_SEED_FILE, 'utf8').trim(),
  authority_file: NATS_CA_FILE,
};
const { base_url, owner } = await prepareDemo(localDirectory(process.env), access, [DEMO_URL]);
process.stdout.write(`
The platform is ready.

  Address: ${base_url}
  Token of the demo Owner (12 hours):
${owner.token}

The README's tour goes on from here:

  docker compose cp demo:/var/lib/action-platform/demo/demo.json .local/
`);
