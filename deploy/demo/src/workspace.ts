import { readFileSync } from 'node:fs';
import { docsRoutes } from '@action-platform/contracts/routes';
import { localDirectory, prepareDemo } from '@action-platform/local';

/**
 * Creates the demo Workspace in a running platform, unless the platform has it, and writes `demo.json` with new tokens into
 * `LOCAL_DIR`, as `npm start` does. `DEMO_URL` is the address for callers; a range of ports (`http://127.0.0.1:8080-8081`) stands
 * for several gateways.
 */
const { NATS_URL = '', NATS_NKEY_SEED_FILE = '', NATS_CA_FILE, DEMO_URL = '' } = process.env;
const access = {
  nats_url: NATS_URL,
  admin_seed: readFileSync(NATS_NKEY_SEED_FILE, 'utf8').trim(),
  authority_file: NATS_CA_FILE,
};
const directory = localDirectory(process.env);
const say = (line: string) => process.stdout.write(`${line}\n`);
const { base_url, owner } = await prepareDemo(directory, access, addressesIn(DEMO_URL), say);
process.stdout.write(`
The platform is ready.

  Address: ${base_url}
  API reference, for a browser: ${base_url}${docsRoutes.reference.path}
  Token of the demo Owner (12 hours):
${owner.token}

The README's tour works here too, but for its approvals, with docker compose run --rm admin in place of
npm run --silent admin --. It reads the demo's tokens, so first:

  mkdir -p .local && docker compose cp demo:${directory.demoFile} .local/
`);

function addressesIn(url: string): string[] {
  const range = /^(.*:)(\d+)-(\d+)$/.exec(url);
  if (range === null) return [url];
  const [first, last] = [Number(range[2]), Number(range[3])];
  return Array.from({ length: last - first + 1 }, (_, index) => `${range[1]}${first + index}`);
}
