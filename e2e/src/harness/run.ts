import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { localDirectory } from '@action-platform/local';
import { startBalancer } from '@action-platform/testing';
import { endWith, say } from '../on-a-stack.ts';
import { isOfWrite } from './checkers/audit.ts';
import { auditEntries } from './evidence/audit-entries.ts';
import { committedChanges } from './evidence/committed-changes.ts';
import { FeedReader } from './evidence/feed-reader.ts';
import { observeStored } from './evidence/observe.ts';
import type { Checker, History } from './history.ts';
import type { Workload } from './workload/client.ts';
import type { Fixture, Platform } from './workload/fixture.ts';
import { Load } from './workload/load.ts';
import { makeFixture } from './workload/make-fixture.ts';

const POLL_MS = 5_000;
const SHOWN = 50;

/** A platform that a suite starts and removes. */
export interface OwnPlatform extends Platform {
  start(): Promise<unknown>;
  remove(): Promise<void>;
}

/** The values of a suite's options. */
type Options = Readonly<Record<string, string>>;

/** Something outside the platform that receives what it sends. */
interface Witness {
  evidence?(): Partial<History>;
  stop(): void;
}

/** The default and the explanation of each option of a suite. */
type Explained = Readonly<Record<string, readonly [value: string | false, explains: string]>>;

/** A suite as `main.ts` runs it. */
export interface Suite {
  readonly options: Explained;
  /** Whether the suite needs a network of its own (Linux). */
  readonly isIsolated?: boolean;
  /** Runs it, and ends the process: with 1 after a violation. */
  run(options: Options, name: string): Promise<never>;
}

/** The parts that a suite can break while clients load the platform. */
export interface Running<P extends Platform, W = undefined> {
  readonly platform: P;
  readonly witness: W;
  readonly fixture: Fixture;
  readonly load: Load;
  readonly options: Options;
}

/** A suite that causes faults under the common load, and checks the history of all calls afterwards. */
export interface FaultSuite<P extends OwnPlatform, W extends Witness | undefined = undefined>
  extends Omit<Suite, 'run'> {
  platform(): P;
  /** How many Owners the clients are; by default one. */
  readonly owners?: number;
  /** Prepares a witness before the load. */
  prepare?(fixture: Fixture, options: Options): Promise<W>;
  workload(options: Options): Omit<Workload, 'seed'>;
  /** Causes the faults, and resolves with violations of promises about the faults themselves. */
  cause(running: Running<P, W>): Promise<readonly string[]>;
  /** How many readers follow the feed; half of them by pages, half by streams. */
  readonly readers?: number;
  /** Without news for so long, readers and audit log have everything, in milliseconds. */
  readonly quietMs?: number;
  checkers(options: Options): readonly Checker[];
}

/** A suite that causes its faults under the common load. */
export function underLoad<P extends OwnPlatform, W extends Witness | undefined>(
  suite: FaultSuite<P, W>,
): Suite {
  return { ...suite, run: (options, name) => runFaultSuite(name, suite, options) };
}

async function runFaultSuite<P extends OwnPlatform, W extends Witness | undefined>(
  name: string,
  suite: FaultSuite<P, W>,
  options: Options,
): Promise<never> {
  const platform = suite.platform();
  return await endWith(platform, async () => {
    const seed = Number(options.seed);
    say(`Starting a platform; seed ${seed} …`);
    await platform.start();
    const balancer = await startBalancer(platform.gateways);
    const fixture = await makeFixture(platform, balancer.url, suite.owners);
    const readers = Array.from({ length: suite.readers ?? 0 }, (_, number) => {
      const how = number % 2 === 0 ? 'pages' : 'stream';
      return new FeedReader(platform.gateways, fixture.owners[0]!.token, how, number);
    });
    const witness = (await suite.prepare?.(fixture, options)) as W;
    const load = new Load(fixture, { ...suite.workload(options), seed });
    const begunAt = performance.now();
    const missed = await suite.cause({ platform, witness, fixture, load, options });
    await load.stop();
    const seconds = ((performance.now() - begunAt) / 1000).toFixed();
    say(`${fixture.entries.length} calls, ${fixture.acknowledged} acknowledged writes in ${seconds} s`);
    await platform.ready();
    const concluded = await conclude(fixture, readers, suite.quietMs ?? 0);
    const history = { ...concluded, ...witness?.evidence?.() };
    witness?.stop();
    await balancer.close();
    const violations = [...missed, ...suite.checkers(options).flatMap((checker) => [...checker(history)])];
    summarize(history, readers);
    if (violations.length > 0) keep(`${name}-${seed}`, history);
    return report(violations);
  });
}

/** Prints violations. @returns whether there is none */
export function report(violations: readonly string[]): boolean {
  for (const violation of violations.slice(0, SHOWN)) say(`VIOLATION: ${violation}`);
  say(`${violations.length} violations`);
  return violations.length === 0;
}

/** The history of a load that has ended, with the evidence of the platform. */
async function conclude(fixture: Fixture, readers: readonly FeedReader[], quietMs: number): Promise<History> {
  const { platform, workspace, owners, url } = fixture;
  const read = async () => (await auditEntries(url, owners[0]!.token)).filter(isOfWrite);
  const countOf = (entries: readonly unknown[]) =>
    readers.reduce((sum, { events }) => sum + events.length, entries.length);
  const stored = await observeStored(fixture);
  let audit = readers.length === 0 ? [] : await read();
  let known = countOf(audit);
  for (let since = performance.now(); readers.length > 0 && performance.now() - since < quietMs; ) {
    await delay(POLL_MS);
    audit = await read();
    if (countOf(audit) !== known) [known, since] = [countOf(audit), performance.now()];
  }
  await Promise.all(readers.map((reader) => reader.stop()));
  const changes = readers.length === 0 ? [] : await committedChanges(platform, workspace);
  const webhooks = { endpoints: [], received: [], rotated: '', secrets: [] };
  const refunds = { requests: [], made: new Map() };
  const payments = { refunds, paid: new Map() };
  return { ...stored, changes, readers, audit, webhooks, ...payments, signedIn: [], hiddenFiles: new Set() };
}

function summarize({ entries, changes, audit }: History, readers: readonly FeedReader[]): void {
  const outcomes = Map.groupBy(entries, ({ outcome }) => outcome.is);
  say([...outcomes].map(([is, { length }]) => `${length} ${is}`).join(', '));
  if (readers.length === 0) return;
  say(`${changes.length} commits, ${audit.length} entries of writes in the audit log`);
  for (const { name, events, breaks } of readers) say(`${name}  ${events.length} events, ${breaks} breaks`);
}

/** Keeps the history of a run with violations. */
function keep(name: string, { entries, before, after }: History): void {
  const folder = join(localDirectory(process.env).root, 'histories');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ entries, before, after }), { mode: 0o600 });
  say(`The history is in ${file}.`);
}
