/** One end-to-end suite. */
interface Suite {
  /** The arguments of Node.js, from the root of the repository. */
  readonly run: readonly string[];
  /** One line for the list of suites. */
  readonly shows: string;
}

/** The arguments of Node.js that run Jest. @param config the path of its configuration */
export const jest = (config: string): string[] => ['node_modules/jest/bin/jest.js', '--config', config];
/** A row of `harness/rows.ts`. */
const underFaults = (suite: string) => ['e2e/src/harness/main.ts', suite];
const checks = jest('e2e/jest.config.mjs');

/** The suites of `npm run e2e`, by name. */
export const suites: Readonly<Record<string, Suite>> = {
  rolling: {
    run: underFaults('rolling'),
    shows: 'restarts or upgrades every process under load; fails when a caller notices',
  },
  recovery: {
    run: underFaults('recovery'),
    shows: 'kills and freezes processes; measures how soon callers recover',
  },
  rotation: {
    run: underFaults('rotation'),
    shows: 'replaces keys, database users and certificates under load',
  },
  cluster: {
    run: underFaults('cluster'),
    shows: 'kills, pauses and partitions members of a replica set and a NATS cluster; checks the history',
  },
  erase: {
    run: underFaults('erase'),
    shows: 'exports and erases a Workspace of 100,000 Records while processes are killed',
  },
  restore: {
    run: underFaults('restore'),
    shows: "sets one service's database, or JetStream, back beside the others; asserts which promises hold",
  },
  audit: {
    run: [...checks, 'million-entries'],
    shows: 'searches, counts, exports and verifies an audit log of a million entries',
  },
  traces: {
    run: [...checks, 'failed-traces'],
    shows: 'fails 20 of 2,000 calls in different places; expects their whole traces',
  },
  events: {
    run: underFaults('events'),
    shows: 'kills every process under 50,000 writes; compares feed and audit log with the stored documents',
  },
  'request-ids': {
    run: underFaults('request-ids'),
    shows:
      'kills gateways 20 times under 10,000 writes that share ten request ids; each has its own audit entry',
  },
  approvals: {
    run: underFaults('approvals'),
    shows:
      'kills every process while each write waits for its approval; each is executed once, and none without',
  },
  'custom-operations': {
    run: underFaults('custom-operations'),
    shows:
      'kills every process under calls of a custom operation; its endpoint has one effect for each key, and no request after an outcome',
  },
  outage: {
    run: underFaults('outage'),
    shows: 'turns JetStream off under writes, also until the oplog has rolled over; compares the feed',
  },
  webhooks: {
    run: underFaults('webhooks'),
    shows: 'sends webhooks beside 200 endpoints that misbehave, through killed processes and lost storage',
  },
  adapters: {
    run: ['e2e/src/adapters/main.ts'],
    shows:
      'gets servers of other makers for mail and files (an S3 server, Dovecot), and tests the adapters on them',
  },
  alerts: {
    run: ['e2e/src/alerts/main.ts'],
    shows: 'causes the failure of each alert; expects it to fire and to end',
  },
  clients: {
    run: ['docs/clients/test/run.mjs'],
    shows: 'runs generated and hand-written clients, and checks the OpenAPI document',
  },
  mcp: {
    run: ['docs/clients/test/run.mjs', 'test/mcp/*.check.ts'],
    shows:
      'calls every tool with clients of the Model Context Protocol, signs in, and runs its conformance tests',
  },
  browser: {
    run: ['libs/toolchain/src/with-chromium.mjs', ...checks, 'browser'],
    shows: 'opens every page in Chromium: layout, accessibility, content security policy, the whole console',
  },
  drills: {
    run: [...checks, 'e2e/src/(drills|versions)/|\\.drill\\.check'],
    shows:
      'kills, floods and restarts processes, runs two versions side by side, and follows docs/sign-in.md',
  },
  fuzz: {
    run: ['e2e/src/fuzz/main.ts'],
    shows: 'sends generated JSON and HTTP requests until the time is up',
  },
  container: {
    run: ['deploy/container/src/main.ts'],
    shows:
      'builds the image, starts docker-compose.yml and tests it, upgrade and rotation under load among it',
  },
};
