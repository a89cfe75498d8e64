/**
 * Kills processes under writes of every kind, and compares the feed and the audit log with the stored documents:
 * `npm run e2e -- events --help`. docs/events.md and docs/audit.md have the promises.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type AuditEntry, processes } from '@action-platform/contracts';
import type { Demo } from '@action-platform/local';
import { untilWell } from '@action-platform/testing';
import { send } from '../http.ts';
import { endWith, say } from '../on-a-stack.ts';
import { Operator } from '../operator.ts';
import { StackProcess } from '../stack-process.ts';
import { committedChanges } from './committed-changes.ts';
import { FeedReader } from './feed-reader.ts';
import { Killer, victims } from './killer.ts';
import { auditViolations, feedViolations, isOfWrite } from './violations.ts';
import { Writers } from './writers.ts';

const { values: options } = parseArgs({
  options: {
    writes: { type: 'string', default: '50000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    readers: { type: 'string', default: '4' },
    kill: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  say(`npm run e2e -- events [options]

  --writes 50000   acknowledged ones
  --seed N         of the writes and the kills
  --readers 4      half of them by pages, half by streams
  --kill gateway   only these processes; by default all, mongod and nats-server among them`);
  process.exit();
}

/** The audit log stores entries from events a minute after them; without news for longer than that, it is complete. */
const QUIET_MS = 80_000;
const POLL_MS = 5_000;
const SHOWN = 50;

const stack = new StackProcess();
// Grants that have ended make room at the limit; their documents must stay for the comparison.
Object.assign(stack.environment, { MEMBER_GRANTS_MAX: '1000000', WORKSPACE_GRANTS_MAX: '1000000' });
await endWith(stack, async () => {
  const seed = Number(options.seed);
  say(`Starting two replicas of everything; seed ${seed} …`);
  const demo = await stack.start('--replicas', processes.map((name) => `${name}=2`).join());
  const operator = await Operator.of(stack);
  const readers = Array.from(
    { length: Number(options.readers) },
    (_, number) => new FeedReader(demo, number % 2 === 0 ? 'pages' : 'stream', number),
  );
  const writers = new Writers({ demo, operator, writes: Number(options.writes), seed });
  const killer = new Killer(
    stack,
    seed,
    victims.filter((victim) => victim.includes(options.kill)),
  );
  const begunAt = performance.now();
  await writers.run();
  const seconds = ((performance.now() - begunAt) / 1000).toFixed(0);
  await killer.stop();
  await untilWell(demo.gateways);
  await operator.close();
  const entries = await entriesWhenQuiet(demo, readers);
  await Promise.all(readers.map((reader) => reader.stop()));

  const { attempts } = writers;
  const changes = await committedChanges(stack);
  const unanswered = attempts.filter(({ status }) => status === 0).length;
  const told = entries.filter(({ answered }) => !answered).length;
  const tally = Map.groupBy(attempts, ({ status }) => status);
  say(
    `${options.writes} writes in ${seconds} s, ${attempts.length} requests, ${unanswered} without an answer`,
  );
  say(`  ${[...tally].map(([status, { length }]) => `${length} × ${status}`).join(', ')}`);
  say(`killed   ${[...killer.kills].map(([victim, times]) => `${victim} ${times}`).join(', ')}`);
  say(`commits  ${changes.length}`);
  for (const { name, events, breaks } of readers)
    say(
      `${name}  ${events.length} events, ${events.length - changes.length} of them again, ${breaks} breaks`,
    );
  say(`audit    ${entries.length} entries of writes, ${told} without an answer`);
  const violations = [
    ...feedViolations(changes, readers),
    ...auditViolations(attempts, readers[0]!.events, entries),
  ];
  for (const violation of violations.slice(0, SHOWN)) say(`VIOLATION: ${violation}`);
  say(`${violations.length} violations`);
  return violations.length === 0;
});

/** The entries of writes, once neither they nor the events of the readers have become more for a while. */
async function entriesWhenQuiet(demo: Demo, readers: readonly FeedReader[]): Promise<AuditEntry[]> {
  let known = 0;
  for (let since = performance.now(); ; await delay(POLL_MS)) {
    const entries = await entriesOf(demo);
    const now = readers.reduce((sum, { events }) => sum + events.length, entries.length);
    if (now === known && performance.now() - since > QUIET_MS) return entries;
    if (now !== known) since = performance.now();
    known = now;
  }
}

async function entriesOf({ base_url, owner }: Demo): Promise<AuditEntry[]> {
  const path = '/api/v1/audit/entries';
  const { status, text } = await send(base_url, { method: 'GET', path, token: owner.token });
  if (status !== 200) throw new Error(`The audit log was not exported: ${status} ${text}`);
  const entries = text.split('\n').filter(Boolean);
  return entries.map((line) => JSON.parse(line) as AuditEntry).filter(isOfWrite);
}
