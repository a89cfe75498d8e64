import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pushRecord } from '@action-platform/contracts/operations';
import { TestPlatform, type TestProcess } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestWorkspace } from '../test-support/test-workspace.ts';

const platform = new TestPlatform();
const delayFile = join(tmpdir(), `event-loop-delay-${process.pid}`);
let service: TestProcess;
let workspace: TestWorkspace;

beforeAll(async () => {
  const monitor = new URL('../test-support/event-loop-delay.ts', import.meta.url).href;
  service = await platform.spawn('record-store', {
    NODE_OPTIONS: `--import=${monitor}`,
    EVENT_LOOP_DELAY_FILE: delayFile,
  });
  workspace = await TestWorkspace.create(platform);
});
afterAll(async () => {
  await platform.stop();
  await rm(delayFile, { force: true });
});

/** The longest delay that the service's thread caused its event loop since the last call, in milliseconds. */
async function longestDelay(): Promise<number> {
  await rm(delayFile, { force: true });
  service.signal('SIGUSR2');
  for (;;) {
    const text = await readFile(delayFile, 'utf8').catch(() => '');
    if (text.endsWith('\n')) return Number(text);
    await setTimeout(5);
  }
}

/** An object of the smallest members, of about this size in bytes. */
function tinyMembers(bytes: number, value = '1'): string {
  const members: string[] = [];
  for (let length = 0; length < bytes - 20; length += members.at(-1)!.length + 1) {
    members.push(`"${members.length.toString(36)}":${value}`);
  }
  return `{${members.join()}}`;
}

/** The deepest accepted payload: the body is the first of 64 levels. */
const nested = (bytes: number) => tinyMembers(bytes - 400, `${'{"a":'.repeat(62)}1${'}'.repeat(62)}`);

const MIB = 2 ** 20;
const RECORD = 256 * 1024;
const largest = tinyMembers(RECORD);
const tooLarge = tinyMembers(2 * MIB - 1000);
const deep = nested(RECORD);

/*
 * No piece of work should take more than 20 ms. The bound is higher, and applies to the best of some rounds, because the
 * thread also collects garbage. Work that blocks the event loop delays every round, by some hundred milliseconds when
 * the service's thread did it.
 */
const BOUND_MS = 100;
const MOST_ROUNDS = 5;
const GET_EVERY_MS = 5;

test('the largest and deepest bodies do not block the event loop', async () => {
  const small = await workspace.pushed();
  const target = await workspace.pushed(largest);
  let round = 0;

  const flood = () =>
    Promise.all([
      workspace.push(largest, { idempotency_key: `tiny-${round}` }).then(({ result }) => result),
      workspace.push(deep, { idempotency_key: `deep-${round}` }).then(({ result }) => result),
      workspace.patch(target, largest, { idempotency_key: `patch-${round}` }).then(({ result }) => result),
      workspace.push(tooLarge, { idempotency_key: `large-${round}` }).then(({ error }) => error.code),
      workspace.patch(target, tooLarge).then(({ error }) => error.code),
      platform.call(pushRecord, workspace.owner, tooLarge).then(({ error }) => error.code),
    ]);

  const delays: number[] = [];
  do {
    round++;
    await longestDelay();
    let isFlooded = true;
    const answers = flood().finally(() => {
      isFlooded = false;
    });
    const statuses = new Set<number>();
    while (isFlooded) {
      statuses.add((await workspace.get(small)).status);
      // Without a pause these calls would occupy a processor that the bodies need.
      await setTimeout(GET_EVERY_MS);
    }
    expect((await answers).slice(3)).toEqual([
      'record_store_payload_too_large',
      'record_store_payload_too_large',
      'invalid_request',
    ]);
    expect([...statuses]).toEqual([200]);
    delays.push(await longestDelay());
  } while (Math.min(...delays) > BOUND_MS && round < MOST_ROUNDS);
  expect(Math.min(...delays)).toBeLessThanOrEqual(BOUND_MS);
});
