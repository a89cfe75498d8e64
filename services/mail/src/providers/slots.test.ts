import { describe, expect, test } from '@jest/globals';
import { MailUnavailable } from './provider.ts';
import { attemptTime, Slots, whenAvailable } from './slots.ts';

const inMs = (ms: number) => attemptTime(performance.now() + ms);

describe('the attempts of an account', () => {
  test('run four at once in the order of their arrival, and those of others beside them', async () => {
    const slots = new Slots();
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const call = (account: string, name: string) =>
      slots.take(account, 4, inMs(60_000), () => {
        begun.push(name);
        const { promise, resolve } = Promise.withResolvers<void>();
        ends.push(resolve);
        return promise;
      });
    const calls = ['1', '2', '3', '4', '5', '6'].map((name) => call('one', name));
    const other = call('other', 'other');
    await Promise.resolve();
    expect(begun).toEqual(['1', '2', '3', '4', 'other']);
    ends[0]!();
    await calls[0];
    await new Promise(setImmediate);
    expect(begun).toEqual(['1', '2', '3', '4', 'other', '5']);
    ends[1]!();
    await calls[1];
    await new Promise(setImmediate);
    expect(begun.at(-1)).toBe('6');
    for (const end of ends) end();
    await Promise.all([...calls, other]);
  });

  test('that wait until their time ends are refused, and their slot goes to the next', async () => {
    const slots = new Slots();
    const end = Promise.withResolvers<void>();
    const running = Array.from({ length: 4 }, () => slots.take('one', 4, inMs(60_000), () => end.promise));
    let isDone = false;
    const late = slots.take('one', 4, inMs(5), async () => {
      isDone = true;
    });
    await expect(late).rejects.toThrow(MailUnavailable);
    end.resolve();
    await Promise.all(running);
    expect(isDone).toBe(false);
    expect(await slots.take('one', 4, inMs(60_000), async () => 'next')).toBe('next');
  });

  test('that fail give their slot back', async () => {
    const slots = new Slots();
    for (let i = 0; i < 10; i++) {
      const failing = slots.take('one', 4, inMs(60_000), () => Promise.reject(new Error('no')));
      await expect(failing).rejects.toThrow('no');
    }
  });
});

describe('a call of a mail system without capacity', () => {
  test('is repeated after the pause, when that ends in time', async () => {
    let calls = 0;
    const answer = await whenAvailable(async () => {
      if (++calls < 3) throw new MailUnavailable(0.001);
      return 'done';
    }, inMs(60_000));
    expect({ answer, calls }).toEqual({ answer: 'done', calls: 3 });
  });

  test('is refused at once with the pause, when that would end too late', async () => {
    const refused = whenAvailable(() => Promise.reject(new MailUnavailable(30)), inMs(1_000));
    await expect(refused).rejects.toMatchObject({ retryAfterSeconds: 30 });
  });
});
