import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { afterItsEnd, brokenAnswers, endlessAnswers, invalidBeginnings } from './long-answers.ts';
import { expectAnswer, expectFailures } from './outcome.ts';
import { RoguePlatform } from './rogue-platform.ts';

/** The time until the callers of an endless answer leave, in milliseconds. */
const STAY_MS = 500;
/** The number of callers of an endless answer. */
const CALLERS = 2;

const platform = new RoguePlatform();

beforeAll(() => platform.start(['procedures', 'knowledge']));
afterAll(() => platform.stop());

describe('long answers of a rogue affect only their own callers', () => {
  test.each(invalidBeginnings)('that ask for credits on %s', async (_what, behaviour) => {
    platform.behaviour = behaviour;
    await platform.unnoticed(async () => expectFailures(await platform.callRogues()));
  });

  test.each(brokenAnswers)('that %s', async (_what, behaviour) => {
    platform.behaviour = behaviour;
    await platform.unnoticed(async () => {
      for (const [, outcome] of await platform.callRogues()) expect(outcome).toBe('broken off');
    });
  });

  test('that go on after their end', async () => {
    platform.behaviour = afterItsEnd;
    await platform.unnoticed(async () => {
      for (const [, outcome] of await platform.callRogues()) {
        expect(expectAnswer(outcome)).toMatchObject({ status: 200, text: '{"result":1}' });
      }
    });
  });

  test.each(endlessAnswers)('of chunks without end %s', async (_what, behaviour) => {
    platform.behaviour = behaviour;
    await platform.unnoticed(async () => {
      const callers: ReturnType<typeof platform.callRogues>[] = [];
      for (let caller = 0; caller < CALLERS; caller++) {
        const leaving = AbortSignal.timeout(STAY_MS);
        const expected = platform.received + platform.rogues.size;
        callers.push(platform.callRogues(leaving));
        // Requests of two callers in one turn of the event loop would travel in a batch, which the rogue cannot read.
        while (platform.received < expected && !leaving.aborted) await new Promise(setImmediate);
      }
      for (const [, outcome] of (await Promise.all(callers)).flat()) expect(outcome).toBe('broken off');
    });
  });
});
