import { createDraft, listVisibleFiles } from '@action-platform/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { answersWithMore, junkRetryAfter, malformedAnswers, retryingAfter } from './answers.ts';
import { expectAnswer, expectFailures, expectRefusal } from './outcome.ts';
import { RoguePlatform, SHORT_DEADLINE_MS } from './rogue-platform.ts';

const platform = new RoguePlatform();

beforeAll(() => platform.start(['procedures', 'knowledge'], SHORT_DEADLINE_MS));
afterAll(() => platform.stop());

describe('answers of a rogue affect only its own callers', () => {
  test.each(malformedAnswers)('that %s', async (_what, behaviour) => {
    platform.behaviour = behaviour;
    await platform.unnoticed(async () => expectFailures(await platform.callRogues()));
  });

  test.each(answersWithMore)('that %s', async (_what, behaviour) => {
    platform.behaviour = behaviour;
    await platform.unnoticed(async () => {
      for (const [, outcome] of await platform.callRogues()) {
        expect(expectAnswer(outcome)).toMatchObject({ status: 200, text: '{}' });
      }
    });
  });

  test.each(junkRetryAfter)('that have the Retry-After %s', async (when) => {
    platform.behaviour = retryingAfter(when);
    await platform.unnoticed(async () => {
      for (const [, outcome] of await platform.callRogues()) {
        expectRefusal(outcome, 'action_platform_unavailable');
      }
    });
  });
});

test('once the true services run again, every call succeeds at once', async () => {
  await platform.replaceRogues();
  for (const operation of [createDraft, listVisibleFiles]) {
    expect(expectAnswer(await platform.call(operation)).status).toBe(200);
  }
});
