import { describe, expect, jest, test } from '@jest/globals';
import { requireTimeLeft, sendInTime } from './write-deadline.ts';

const unavailable = expect.objectContaining({ code: 'action_platform_unavailable' });

describe('a write', () => {
  test('is not begun when the requester has stopped waiting', () => {
    expect(() => requireTimeLeft(performance.now() - 1)).toThrow(/nothing was done/);
  });

  test('is begun while the requester waits', () => {
    expect(() => requireTimeLeft(Number.POSITIVE_INFINITY)).not.toThrow();
  });
});

describe('sendInTime', () => {
  const inTime = (name: string) => ({ name, deadline: Number.POSITIVE_INFINITY });
  const late = (name: string) => ({ name, deadline: 0 });

  test('sends what may still be sent, and gives each write its own outcome', async () => {
    const outcomes = await sendInTime([late('a'), inTime('b'), late('c'), inTime('d')], async (writes) =>
      writes.map(({ name }) => `sent ${name}`),
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
