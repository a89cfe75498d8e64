import { describe, expect, jest, test } from '@jest/globals';
import { sendInTime, startAttempt } from './attempt.ts';

const unavailable = expect.objectContaining({ code: 'action_platform_unavailable' });

describe('an attempt', () => {
  test('is not begun when the requester has stopped waiting', () => {
    expect(() => startAttempt(performance.now() - 1)).toThrow(/nothing was done/);
  });

  test('may write for a while', () => {
    expect(startAttempt(Number.POSITIVE_INFINITY).sendBefore).toBeGreaterThan(performance.now());
  });
});

describe('sendInTime', () => {
  const inTime = (name: string) => ({ name, sendBefore: Number.POSITIVE_INFINITY });
  const late = (name: string) => ({ name, sendBefore: 0 });

  test('sends what may still be sent, and gives each item its own outcome', async () => {
    const outcomes = await sendInTime([late('a'), inTime('b'), late('c'), inTime('d')], async (items) =>
      items.map(({ name }) => `sent ${name}`),
    );
    expect(outcomes).toEqual([
      { error: unavailable },
      { value: 'sent b' },
      { error: unavailable },
      { value: 'sent d' },
    ]);
  });

  test('sends nothing when all are late', async () => {
    const send = jest.fn(async () => []);
    expect(await sendInTime([late('a')], send)).toEqual([{ error: unavailable }]);
    expect(send).not.toHaveBeenCalled();
  });
});
