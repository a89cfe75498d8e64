import { LocalPlatform, twoOf } from '../local-platform.ts';
import { say } from '../on-a-stack.ts';
import { CONTAINER_HEAP, largerThanContainers, ProcessWatch } from '../watch-processes.ts';
import { checkApprovals } from './checkers/approvals.ts';
import { checkAskedOnce } from './checkers/asked-once.ts';
import { checkAtMostOnce } from './checkers/at-most-once.ts';
import { checkAudit } from './checkers/audit.ts';
import { checkAuthority } from './checkers/authority.ts';
import { checkDrafts } from './checkers/drafts.ts';
import { checkFeed, checkFeedAfterGap } from './checkers/feed.ts';
import { checkFiles } from './checkers/files.ts';
import { checkListings } from './checkers/listings.ts';
import { checkOrder } from './checkers/order.ts';
import { checkPayments } from './checkers/payments.ts';
import { checkQuota } from './checkers/quota.ts';
import { checkRefunds } from './checkers/refunds.ts';
import { checkRefusals } from './checkers/refusals.ts';
import { clusterFaults } from './faults/cluster.ts';
import { causeEach } from './faults/fault.ts';
import { jetStreamOff } from './faults/jetstream.ts';
import { killAtRandom, processFaults, victims } from './faults/processes.ts';
import type { Checker } from './history.ts';
import { ClusterPlatform } from './platforms/cluster-platform.ts';
import { PlatformWithBucket } from './platforms/platform-with-bucket.ts';
import { type Running, type Suite, underLoad } from './run.ts';
import { agents } from './suites/agents/agents.ts';
import { ChangingFiles } from './suites/changing-files.ts';
import { makeEqualCalls } from './suites/equal-calls.ts';
import { erase } from './suites/erase.ts';
import { hangBesideGets } from './suites/hang-beside-gets.ts';
import { FOREIGN_RECIPIENTS, holdWrites } from './suites/hold-writes.ts';
import { importRows } from './suites/import.ts';
import { Payments } from './suites/payments.ts';
import { Refunds } from './suites/refunds.ts';
import { restore } from './suites/restore.ts';
import { rolling } from './suites/rolling.ts';
import { rotation } from './suites/rotation.ts';
import { webhooks } from './suites/webhooks.ts';
import { everyWrite, usualCalls } from './workload/steps.ts';

/** The invariants of stored objects, and of the answers that name them. */
const ofObjects: readonly Checker[] = [
  ...[checkAtMostOnce, checkOrder, checkListings, checkAuthority, checkQuota, checkDrafts],
  checkRefusals(),
];

/** Grants that have ended make room at the limit; their documents must stay for the comparison. */
const manyGrants = { MEMBER_GRANTS_MAX: '1000000', WORKSPACE_GRANTS_MAX: '1000000' };

const manyKeys = { WORKSPACE_CUSTOM_WRITES_PER_DAY_MAX: '1000000' };

const manyApprovals = { CALLER_PENDING_APPROVALS_MAX: '1000', WORKSPACE_PENDING_APPROVALS_MAX: '1000' };

/** The processes that every call needs. */
const needed = ['services/gateway/', 'services/grants/', 'services/record-store/', 'mongod', 'nats-server'];

/** Kills processes at random until enough writes were acknowledged and enough of them killed. */
async function kill(
  { platform, fixture, options }: Running<LocalPlatform, unknown>,
  among: readonly string[],
) {
  await killAtRandom(platform, {
    ...{ among, seed: Number(options.seed) },
    isEnough: (kills) =>
      fixture.acknowledged >= Number(options.writes) && kills >= Number(options.kills ?? 0),
  });
  return [];
}

/** The entries with a text in their names. @throws Error with all names when none has it: such a run would show nothing */
function named<Named extends { readonly name: string }>(all: readonly Named[], text: string): Named[] {
  const found = all.filter(({ name }) => name.includes(text));
  if (found.length > 0) return found;
  throw new Error(`No name has "${text}" in it; known: ${all.map(({ name }) => name).join(', ')}.`);
}

/** The suites of faults: on which platform, which faults under which load, and which invariants must hold. */
export const rows: Readonly<Record<string, Suite>> = {
  events: underLoad({
    options: {
      writes: ['50000', 'acknowledged ones'],
      kill: ['', 'only these processes, such as gateway; by default all, mongod and nats-server among them'],
    },
    platform: () => new LocalPlatform(twoOf(), manyGrants),
    workload: () => ({ clients: 16, weights: everyWrite, onRecent: true }),
    cause: (running) => {
      const among = named(
        victims.map((name) => ({ name })),
        running.options.kill!,
      );
      return kill(
        running,
        among.map(({ name }) => name),
      );
    },
    readers: 4,
    // The audit log stores entries from events a minute after them.
    quietMs: 80_000,
    checkers: () => [...ofObjects, checkFeed, checkAudit],
  }),
  'request-ids': underLoad({
    options: { writes: ['10000', 'acknowledged ones'], kills: ['20', 'of gateways'] },
    platform: () => new LocalPlatform(twoOf('gateway'), { AUDIT_WINDOW_MS: '10000' }),
    owners: 4,
    workload: () => ({ clients: 8, weights: { push: 1 }, requestIds: 10 }),
    cause: (running) => kill(running, ['services/gateway/']),
    readers: 1,
    quietMs: 30_000,
    checkers: () => [...ofObjects, checkFeed, checkAudit],
  }),
  approvals: underLoad({
    options: { writes: ['1000', 'approved and executed ones'], kills: ['20', 'of any process'] },
    platform: () => new LocalPlatform(twoOf('gateway', 'grants', 'record-store'), manyApprovals),
    prepare: (fixture) => holdWrites(fixture),
    workload: () => ({
      ...{ clients: 8, onRecent: true },
      weights: { push: 6, replace: 4, patch: 4, draft: 2, collection: 1, procedure: 1, get: 1 },
    }),
    cause: (running) => kill(running, victims),
    readers: 1,
    quietMs: 80_000,
    checkers: () => [...ofObjects, checkFeed, checkAudit, checkApprovals],
  }),
  'held-drafts': underLoad({
    options: {
      writes: ['1000', 'approved and made drafts'],
      kills: ['2', 'of each process'],
      equal: ['10', 'times 64 equal calls at once'],
    },
    platform: () => new LocalPlatform(twoOf('gateway', 'grants', 'mail'), manyApprovals),
    prepare: (fixture) => holdWrites(fixture, FOREIGN_RECIPIENTS),
    workload: () => ({ clients: 8, weights: { draft: 1 } }),
    cause: async ({ platform, fixture, options: { writes, kills, equal, seed } }) => {
      const equals = makeEqualCalls(fixture, 'draft', Number(equal));
      await killAtRandom(platform, {
        ...{ among: victims, inTurn: true, seed: Number(seed) },
        isEnough: (count) =>
          fixture.acknowledged >= Number(writes) && count >= Number(kills) * victims.length,
      });
      await equals;
      return [];
    },
    readers: 1,
    quietMs: 20_000,
    checkers: () => [...ofObjects, checkFeed, checkApprovals, checkAskedOnce],
  }),
  'custom-operations': underLoad({
    options: {
      writes: ['2000', 'acknowledged ones'],
      kills: ['30', 'of any process, besides those at a request'],
      equal: ['10', 'times 64 equal calls at once'],
    },
    platform: () => new LocalPlatform(twoOf('gateway', 'grants', 'custom-operations'), manyKeys),
    prepare: (fixture) => Refunds.register(fixture),
    workload: () => ({ clients: 16, weights: { refund: 1 } }),
    cause: async (running) => {
      const equal = makeEqualCalls(running.fixture, 'refund', Number(running.options.equal));
      const found = await kill(running, [...victims, ...Array(4).fill('services/custom-operations/')]);
      await equal;
      return found;
    },
    readers: 1,
    quietMs: 20_000,
    checkers: () => [checkRefunds, checkRefusals()],
  }),
  connectors: underLoad({
    options: {
      writes: ['1000', 'by each connector: sent once, with keys, and of an MCP server'],
      kills: ['2', 'of each process'],
      hanging: ['20', 'connectors beside which others call afterwards'],
      rounds: ['5', 'of calls alone and beside these'],
    },
    platform: () =>
      new LocalPlatform(twoOf('gateway', 'grants', 'custom-operations'), { ...manyApprovals, ...manyKeys }),
    prepare: (fixture) => Payments.register(fixture),
    workload: () => ({ clients: 12, weights: { pay_once: 1, pay_keyed: 1, pay_tool: 1 } }),
    cause: async ({ platform, witness, load, options: { writes, kills, hanging, rounds, seed } }) => {
      await killAtRandom(platform, {
        ...{ among: victims, inTurn: true, seed: Number(seed) },
        isEnough: (count) => count >= Number(kills) * victims.length && witness.hasCalled(Number(writes)),
      });
      await load.stop();
      await platform.ready();
      await witness.repeatInDoubt();
      return await hangBesideGets(platform, { hanging: Number(hanging), rounds: Number(rounds) });
    },
    checkers: () => [checkPayments, checkRefusals()],
  }),
  files: underLoad({
    options: { reads: ['10000', 'of files in a folder and in a bucket'] },
    platform: () =>
      new PlatformWithBucket(twoOf('gateway', 'grants', 'knowledge'), { NODE_OPTIONS: CONTAINER_HEAP }),
    prepare: (fixture) => ChangingFiles.begin(fixture),
    workload: () => ({ clients: 16, weights: { read_file: 1 } }),
    cause: async ({ platform, witness, fixture, options }) => {
      const among = ['services/gateway/', 'services/knowledge/', 'mongod', 'nats-server'];
      const isEnough = () => fixture.entries.length >= Number(options.reads);
      const watch = new ProcessWatch(platform);
      await killAtRandom(platform, { among, seed: Number(options.seed), isEnough });
      return [...largerThanContainers(watch.stop().memory, say), ...witness.violations()];
    },
    checkers: () => [checkFiles],
  }),
  outage: underLoad({
    options: {
      seconds: ['300', 'how long JetStream is off'],
      'roll-over': [false, 'fills the oplog meanwhile, until it begins after the failure'],
    },
    platform: () => new LocalPlatform('', manyGrants),
    // Mostly pushes, which are the fastest writes.
    workload: () => ({ clients: 16, weights: { ...everyWrite, push: 1_000, push_many: 50 }, onRecent: true }),
    cause: ({ options, ...running }) => {
      const fault = jetStreamOff(running.platform, Number(options.seconds), options['roll-over'] === 'true');
      return causeEach([fault], 1, running);
    },
    readers: 2,
    quietMs: 20_000,
    checkers: (options) => [...ofObjects, options['roll-over'] === 'true' ? checkFeedAfterGap : checkFeed],
  }),
  recovery: underLoad({
    options: {
      only: ['', 'faults with this text in their names, such as kill-gateway'],
      rounds: ['5', 'of each'],
      clients: ['32', ''],
    },
    platform: () => new LocalPlatform(twoOf('gateway', 'grants', 'record-store')),
    workload: ({ clients }) => ({ clients: Number(clients), weights: usualCalls }),
    cause: ({ options, ...running }) => {
      const faults = processFaults(running.platform, needed);
      return causeEach(named(faults, options.only!), Number(options.rounds), running);
    },
    checkers: () => ofObjects,
  }),
  cluster: underLoad({
    options: {
      only: ['', 'faults with this text in their names'],
      rounds: ['5', 'of each'],
      clients: ['8', ''],
    },
    isIsolated: true,
    platform: () => new ClusterPlatform(),
    workload: ({ clients }) => ({ clients: Number(clients), weights: usualCalls, givesUp: true, restMs: 10 }),
    cause: ({ options, ...running }) =>
      causeEach(named(clusterFaults(running.platform), options.only!), Number(options.rounds), running),
    checkers: () => ofObjects,
  }),
  ...{ agents, erase, import: importRows, restore, rolling, rotation, webhooks },
};
