/** One end-to-end suite. */
export interface Suite {
  /** The arguments of Node.js, from the root of the repository. */
  readonly run: readonly string[];
  /** The patterns of its tests, further arguments. Suites with the same `run` share servers when one command names them. */
  readonly tests?: readonly string[];
  /** One line for the list of suites. */
  readonly shows: string;
  /** Why some of its tests are skipped in each run; without a reason a run that skips any is not kept as green. */
  readonly skips?: string;
  /** About how long it takes on two processors, in minutes. */
  readonly minutes: number;
  /**
   * The packages and pages whose promises the suite shows, as paths from the root. The sources of a suite are these, its own modules and
   * all that its modules import: a change of any makes the suite stale (`staleness/sources.ts`).
   */
  readonly holds: readonly [string, ...string[]];
}

/** The folders whose tests the suite `adapters` runs (`e2e/jest.config.mjs`). */
const testsOfAdapters = [
  'services/knowledge/src/sources',
  ...['accounts', 'authorizations', 'providers', 'routes'].map((folder) => `services/mail/src/${folder}`),
];

/** The arguments of Node.js that run a suite, or several with the same `run`. */
export const argumentsOf = (first: Suite, ...others: readonly Suite[]): string[] => [
  ...first.run,
  ...[first, ...others].flatMap(({ tests = [] }) => tests),
];

/** The arguments of Node.js that run Jest. @param config the path of its configuration @param projects of it; by default all */
export const jest = (config: string, ...projects: readonly string[]): string[] => {
  const selected = projects.length === 0 ? [] : ['--selectProjects', ...projects];
  return ['node_modules/jest/bin/jest.js', ...selected, '--config', config];
};
const checks = jest('e2e/jest.config.mjs', 'checks');
const clients = 'docs/clients/test/run.mjs';
/** Runs a row of `harness/rows.ts`. */
const row = (name: string) => ['e2e/src/harness/main.ts', name];

/** The services of a call of a Record. */
const ofRecords = ['services/gateway', 'services/grants', 'services/record-store'] as const;

/** The suites of `npm run e2e`, by name. */
export const suites: Readonly<Record<string, Suite>> = {
  rolling: {
    run: row('rolling'),
    shows: 'restarts or upgrades every process under load; fails when a caller notices',
    minutes: 2,
    holds: [...ofRecords, 'deploy/local', 'docs/upgrades.md'],
  },
  recovery: {
    run: row('recovery'),
    shows: 'kills and freezes processes; measures how soon callers recover',
    minutes: 5,
    holds: [...ofRecords, 'docs/operations.md'],
  },
  rotation: {
    run: row('rotation'),
    shows: 'replaces keys, database users and certificates under load',
    minutes: 2,
    holds: [...ofRecords, 'libs/deployment'],
  },
  cluster: {
    run: row('cluster'),
    shows: 'kills, pauses and partitions members of a replica set and a NATS cluster; checks the history',
    minutes: 10,
    holds: [...ofRecords],
  },
  erase: {
    run: row('erase'),
    shows: 'exports and erases a Workspace of 100,000 Records while processes are killed',
    minutes: 7,
    holds: [...ofRecords, 'services/mail', 'services/procedures', 'services/knowledge', 'docs/data.md'],
  },
  restore: {
    run: row('restore'),
    shows: "sets one service's database, or JetStream, back beside the others; asserts which promises hold",
    minutes: 6,
    holds: [...ofRecords, 'services/events', 'docs/backup.md'],
  },
  events: {
    run: row('events'),
    shows: 'kills every process under 50,000 writes; compares feed and audit log with the stored documents',
    minutes: 15,
    holds: [...ofRecords, 'services/events', 'services/audit', 'docs/events.md'],
  },
  'request-ids': {
    run: row('request-ids'),
    shows: 'kills gateways under 10,000 writes that share ten request ids; each has its own audit entry',
    minutes: 5,
    holds: [...ofRecords, 'services/audit'],
  },
  approvals: {
    run: row('approvals'),
    shows:
      'kills every process while each write waits for its approval; each is executed once, and none without',
    minutes: 5,
    holds: [...ofRecords, 'docs/approvals.md'],
  },
  'held-drafts': {
    run: row('held-drafts'),
    shows:
      'kills every process while drafts to a foreign recipient wait; each is asked for once, and made once',
    minutes: 4,
    holds: [...ofRecords, 'services/mail', 'docs/approvals.md'],
  },
  'custom-operations': {
    run: row('custom-operations'),
    shows: 'kills every process under calls of a custom operation; its endpoint has one effect for each key',
    minutes: 5,
    holds: [...ofRecords, 'services/custom-operations', 'docs/custom-operations.md'],
  },
  connectors: {
    run: row('connectors'),
    shows:
      'kills every process under calls by connectors; none is sent twice, and hanging ones delay nobody else',
    minutes: 6,
    holds: [...ofRecords, 'services/custom-operations', 'docs/connectors.md'],
  },
  agents: {
    run: row('agents'),
    shows: 'kills every process and replaces keys under calls with access tokens; none counts after its end',
    minutes: 6,
    holds: [...ofRecords, 'docs/agents.md', 'docs/jobs.md'],
  },
  files: {
    run: row('files'),
    shows:
      'kills processes under 10,000 reads of changing files in a folder and in a bucket; no answer mixes two contents',
    minutes: 5,
    holds: ['services/gateway', 'services/grants', 'services/knowledge', 'docs/files.md'],
  },
  import: {
    run: row('import'),
    shows:
      'imports rows by the client of docs/clients, killed ten times; beside single pushes, and beside gets',
    minutes: 5,
    holds: [...ofRecords, 'docs/clients'],
  },
  outage: {
    run: row('outage'),
    shows: 'turns JetStream off under writes, also until the oplog has rolled over; compares the feed',
    minutes: 10,
    holds: [...ofRecords, 'services/events'],
  },
  webhooks: {
    run: row('webhooks'),
    shows: 'sends webhooks beside 200 endpoints that misbehave, through killed processes and lost storage',
    minutes: 6,
    holds: [...ofRecords, 'services/events', 'docs/webhooks.md'],
  },
  'hostile-servers': {
    run: ['e2e/src/hostile-servers/main.ts'],
    shows:
      'has 20 tenants name hostile hosts, mail servers and endpoints beside honest neighbours, also under kills',
    minutes: 6,
    holds: [...ofRecords, 'services/mail', 'services/events', 'services/custom-operations'],
  },
  audit: {
    run: checks,
    tests: ['million-entries'],
    shows: 'searches, counts, exports and verifies a million audit entries',
    minutes: 2,
    holds: ['services/audit', 'docs/audit.md'],
  },
  traces: {
    run: checks,
    tests: ['failed-traces'],
    shows: 'fails 20 of 2,000 calls in different places; expects whole traces',
    minutes: 1,
    holds: [...ofRecords, 'libs/telemetry'],
  },
  adapters: {
    run: ['e2e/src/adapters/main.ts'],
    shows: 'tests the adapters on an S3 server and Dovecot, which it gets',
    minutes: 8,
    holds: ['services/mail', 'services/knowledge', 'docs/mailboxes.md', 'docs/files.md', ...testsOfAdapters],
  },
  alerts: {
    run: ['e2e/src/alerts/main.ts'],
    shows: 'causes the failure of each alert; expects it to fire and to end',
    minutes: 14,
    holds: [...ofRecords, 'deploy/observability', 'libs/telemetry', 'docs/runbook.md'],
  },
  clients: {
    run: [clients],
    tests: ['test/*.check.ts'],
    shows: 'runs generated and hand-written clients, and checks the OpenAPI document',
    minutes: 2,
    holds: ['docs/clients', 'docs/clients/test', 'libs/contracts'],
  },
  mcp: {
    run: [clients],
    tests: ['test/mcp/*.check.ts'],
    shows:
      'calls every tool with clients of the Model Context Protocol, and tools of servers behind connectors',
    minutes: 2,
    holds: [
      'docs/clients',
      'docs/clients/test',
      'services/gateway',
      'services/custom-operations',
      'docs/mcp.md',
    ],
  },
  browser: {
    run: ['libs/toolchain/src/with-chromium.mjs', ...checks],
    tests: ['browser'],
    shows: 'opens every page in Chromium',
    minutes: 5,
    holds: ['libs/console', 'services/gateway', 'docs/console.md'],
  },
  drills: {
    run: checks,
    tests: ['e2e/src/(drills|versions)/', '\\.drill\\.check'],
    shows:
      'kills, floods and restarts processes, runs two versions side by side, and follows docs/sign-in.md',
    minutes: 2,
    holds: [...ofRecords, 'deploy/local', 'deploy/admin', 'docs/sign-in.md'],
  },
  fuzz: {
    run: ['e2e/src/fuzz/main.ts'],
    skips: 'the tests beside the fuzzed properties, in their files',
    shows: 'sends generated JSON, HTTP requests and sign-ins of programs until the time is up',
    minutes: 2,
    holds: ['libs/json', 'libs/json/src/read-json.properties.test.ts', 'services/gateway', 'e2e/src/fuzz'],
  },
  workloads: {
    run: ['e2e/src/workloads/main.ts'],
    shows: "has a job call with the token of its service account, which a cluster's API server signs",
    minutes: 2,
    holds: [
      'e2e/src/workloads/service-account.check.ts',
      'services/gateway',
      'services/grants',
      'docs/jobs.md',
    ],
  },
  container: {
    run: ['deploy/container/src/main.ts'],
    skips: 'a backup with the tools of MongoDB, where the machine has none',
    shows: 'builds the image, and tests docker-compose.yml',
    minutes: 11,
    holds: [
      'Dockerfile',
      'docker-compose.yml',
      'deploy/compose',
      'deploy/container',
      'deploy/container/src/test',
      'libs/deployment',
    ],
  },
};
