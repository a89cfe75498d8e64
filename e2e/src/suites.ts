/** One end-to-end suite. */
interface Suite {
  /** The arguments of Node.js, from the root of the repository. */
  readonly run: readonly string[];
  /** One line for the list of suites. */
  readonly shows: string;
}

/** The arguments of Node.js that run Jest. @param config the path of its configuration @param projects of it; by default all */
export const jest = (config: string, ...projects: readonly string[]): string[] => {
  const selected = projects.length === 0 ? [] : ['--selectProjects', ...projects];
  return ['node_modules/jest/bin/jest.js', ...selected, '--config', config];
};
const checks = jest('e2e/jest.config.mjs', 'checks');
const clients = 'docs/clients/test/run.mjs';

/** The rows of `harness/rows.ts`. */
const underFaults = {
  rolling: 'restarts or upgrades every process under load; fails when a caller notices',
  recovery: 'kills and freezes processes; measures how soon callers recover',
  rotation: 'replaces keys, database users and certificates under load',
  cluster: 'kills, pauses and partitions members of a replica set and a NATS cluster; checks the history',
  erase: 'exports and erases a Workspace of 100,000 Records while processes are killed',
  restore: "sets one service's database, or JetStream, back beside the others; asserts which promises hold",
  events: 'kills every process under 50,000 writes; compares feed and audit log with the stored documents',
  'request-ids':
    'kills gateways under 10,000 writes that share ten request ids; each has its own audit entry',
  approvals:
    'kills every process while each write waits for its approval; each is executed once, and none without',
  'custom-operations':
    'kills every process under calls of a custom operation; its endpoint has one effect for each key',
  outage: 'turns JetStream off under writes, also until the oplog has rolled over; compares the feed',
  webhooks: 'sends webhooks beside 200 endpoints that misbehave, through killed processes and lost storage',
};

/** The other suites. */
const others: Readonly<Record<string, readonly [shows: string, ...run: string[]]>> = {
  audit: ['searches, counts, exports and verifies a million audit entries', ...checks, 'million-entries'],
  traces: ['fails 20 of 2,000 calls in different places; expects whole traces', ...checks, 'failed-traces'],
  adapters: ['tests the adapters on an S3 server and Dovecot, which it gets', 'e2e/src/adapters/main.ts'],
  alerts: ['causes the failure of each alert; expects it to fire and to end', 'e2e/src/alerts/main.ts'],
  clients: ['runs generated and hand-written clients, and checks the OpenAPI document', clients],
  mcp: ['calls every tool with clients of the Model Context Protocol', clients, 'test/mcp/*.check.ts'],
  browser: ['opens every page in Chromium', 'libs/toolchain/src/with-chromium.mjs', ...checks, 'browser'],
  drills: [
    'kills, floods and restarts processes, runs two versions side by side, and follows docs/sign-in.md',
    ...checks,
    'e2e/src/(drills|versions)/|\\.drill\\.check',
  ],
  fuzz: ['sends generated JSON and HTTP requests until the time is up', 'e2e/src/fuzz/main.ts'],
  container: ['builds the image, and tests docker-compose.yml', 'deploy/container/src/main.ts'],
};

/** The suites of `npm run e2e`, by name. */
export const suites: Readonly<Record<string, Suite>> = Object.fromEntries([
  ...Object.entries(underFaults).map(([name, shows]) => [
    name,
    { shows, run: ['e2e/src/harness/main.ts', name] },
  ]),
  ...Object.entries(others).map(([name, [shows, ...run]]) => [name, { shows, run }]),
]);
