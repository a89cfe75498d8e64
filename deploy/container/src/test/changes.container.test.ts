import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SteadyLoad, tallyText } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { output } from '../run.ts';
import { type Container, containers, copyDemo, inside, proxy } from './compose-stack.ts';

/** At least this share of the calls of others succeeds. */
const AVAILABILITY = 0.999;
const PER_SECOND = 50;

/** A file of `mail` that each command of docs/operations.md replaces. */
const replaced = {
  'deploy/compose upgrade': undefined,
  'deploy/compose rollback': undefined,
  'deploy/compose rotate keys': '/run/platform/mail/bus.seed',
  'deploy/compose rotate database-users': '/run/platform/mail/database.url',
  'deploy/compose rotate certificates': '/run/platform/tls/ca.pem',
};

let load: SteadyLoad;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'changes-'));
  const demo = await copyDemo(join(folder, 'demo.json'));
  rmSync(folder, { recursive: true });
  load = await SteadyLoad.start({ url: proxy, demo, perSecond: PER_SECOND });
});
afterAll(() => load.stop());

test('docs/operations.md names these commands', () => {
  const page = readFileSync('docs/operations.md', 'utf8');
  const commands = page.matchAll(/^ {4}(deploy\/compose .+)$/gm).map(([, command]) => command);
  expect(new Set(commands)).toEqual(new Set(Object.keys(replaced)));
});

test.each(Object.entries(replaced))(
  'callers do not notice `%s`',
  async (command, file) => {
    const before = load.count();
    const [former, all] = [file && (await inside('mail', 'cat', file)), await containers()];
    await output('bash', ['-euo', 'pipefail', '-c', command]);
    const tally = load.since(before);
    process.stderr.write(`${command}: ${tallyText(tally)}\n`);
    const failed = tally.failed.values().reduce((sum, times) => sum + times, 0);
    expect(tally.answered / (tally.answered + failed)).toBeGreaterThanOrEqual(AVAILABILITY);
    const after = await containers();
    for (const server of ['nats', 'mongo'])
      expect(after.get(server)!.State.Pid).toBe(all.get(server)!.State.Pid);
    expect(restarts(after)).toBeLessThanOrEqual(restarts(all));
    if (file) expect(await inside('mail', 'cat', file)).not.toBe(former);
  },
  480_000,
);

/** How often the engine has restarted containers that ended by themselves. */
function restarts(all: ReadonlyMap<string, Container>): number {
  return all.values().reduce((sum, { RestartCount }) => sum + RestartCount, 0);
}
