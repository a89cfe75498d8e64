import { setTimeout as delay } from 'node:timers/promises';
import { createDraft, replicaEvent, replicaSubject } from '@action-platform/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectFailures, type Outcome } from './outcome.ts';
import { RoguePlatform } from './rogue-platform.ts';

/** Calls to the attacked service that wait for an answer meanwhile. */
const PENDING = 200;
/** The duration of an attack and the pause between its rounds, in milliseconds. */
const ATTACK_MS = 1_500;
const ROUND_MS = 50;
/** How long the calls to the attacked service wait, in milliseconds: enough for a busy machine to answer all others. */
const DEADLINE_MS = 5_000;

/** The number of replicas in a round of announcements. */
const REPLICAS = 255;

/** A rogue with the key of procedures, which takes every request and answers none. */
const platform = new RoguePlatform();

beforeAll(async () => {
  await platform.start(['procedures'], DEADLINE_MS);
  // The bystander is a Member of the first Workspace.
  platform.workspace = await platform.harness.newWorkspace();
  await rogue().subscribe(replicaSubject('procedures', 'real'), () => {});
  announce({ replica: 'real' });
});
afterAll(() => platform.stop());

const rogue = () => platform.rogues.get('procedures')!;
const announce = (word: object) =>
  rogue().publish(replicaEvent('procedures').subject, { body: JSON.stringify(word) });

function announceFakes(round: number): void {
  for (let id = 0; id < REPLICAS; id++) announce({ replica: `fake${round}x${id}` });
}

/** The return of a replica, beside silent ones. */
function announceReturns(round: number): void {
  if (round === 0) {
    rogue().ask(replicaSubject('procedures', '*'), () => {});
    announceFakes(round);
  }
  for (let time = 0; time < 15; time++) announce({ replica: 'real', returns: true });
}

describe('announcements of a rogue affect only the callers of its service', () => {
  test.each<[what: string, announcements: (round: number) => void]>([
    [`of ${REPLICAS} replicas that do not exist, again and again`, announceFakes],
    ['of the return of a replica, 300 times a second', announceReturns],
  ])('%s', async (_what, announcements) => {
    await platform.unnoticed(async () => {
      const pending = Array.from(
        { length: PENDING },
        async () => [createDraft, await platform.call(createDraft)] as [typeof createDraft, Outcome],
      );
      const begunAt = performance.now();
      for (let round = 0; performance.now() - begunAt < ATTACK_MS; round++) {
        announcements(round);
        await delay(ROUND_MS);
      }
      expectFailures(await Promise.all(pending));
    });
    expect(platform.lostConnections).toBe(0);
  });
});
