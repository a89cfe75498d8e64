import { inboxPrefix } from '@action-platform/contracts/bus';
import { afterEach, describe, expect, test } from '@jest/globals';
import { headers as createHeaders, createInbox } from '@nats-io/transport-node';
import type { BusAnswer } from '../answer.ts';
import type { BusRequestOptions } from '../request.ts';
import { chunks, subject, TestConnections } from '../test-support/test-connections.ts';

const buses = new TestConnections();
afterEach(() => {
  expect(buses.warnings.splice(0).filter((warning) => warning.includes('Permissions'))).toEqual([]);
});

describe('long answers', () => {
  /** The answer of a service with this body. */
  const ask = async (body: () => BusAnswer['body'], options: Partial<BusRequestOptions> = {}) => {
    const { gateway } = await buses.pair(async () => ({ status: 200, body: body() }));
    return await gateway.request(subject, '', { timeoutMs: 5000, ...options });
  };

  test('arrive whole and in order, whatever their length', async () => {
    const reply = await ask(() => chunks(60, 200_000));
    const received = [reply.body, ...(await Array.fromAsync(reply.more!))];
    const expected = await Array.fromAsync(chunks(60, 200_000));
    expect(Buffer.concat(received).equals(Buffer.concat(expected))).toBe(true);
  });

  test.each([
    ['a whole body', (whole: Uint8Array) => whole],
    ['a body in parts that are larger than a message may be', (whole: Uint8Array) => [whole].values()],
  ])('of %s have no more than 64 KiB in a message', async (_what, bodyOf) => {
    const whole = new Uint8Array(4_194_304).map((_, index) => index % 251);
    const reply = await ask(() => bodyOf(whole) as BusAnswer['body']);
    const received = [reply.body, ...(await Array.fromAsync(reply.more!))];
    expect(new Set(received.map(({ length }) => length))).toEqual(new Set([65_536]));
    expect(Buffer.concat(received).equals(whole)).toBe(true);
  });

  test('reserve the bytes of their window in the budget of their receiver, and release them at their end', async () => {
    let taken = 0;
    const byteCredit = {
      take: (bytes: number) => {
        taken += bytes;
        return true;
      },
      giveBack: (bytes: number) => {
        taken -= bytes;
      },
    };
    const { gateway } = await buses.pair(async () => ({ status: 200, body: chunks(10, 1000) }));
    for (const isReadToItsEnd of [true, false]) {
      const { more } = await gateway.request(subject, '', { timeoutMs: 5000, byteCredit });
      expect(taken).toBe(0);
      await more!.next();
      expect(taken).toBe(3 * 64 * 1024);
      if (isReadToItsEnd) await Array.fromAsync(more!);
      else await more!.return(undefined);
      expect(taken).toBe(0);
    }
  });

  test('arrive whole, one chunk at a time, while the budget of their receiver is exhausted', async () => {
    let produced = 0;
    async function* counting() {
      for (; produced < 20; produced++) yield new Uint8Array(1000);
    }
    const byteCredit = { take: () => false, giveBack: () => expect('nothing was taken').toBe('') };
    const { more } = await ask(() => counting(), { byteCredit });
    for (let consumed = 1; consumed < 20; consumed++) {
      expect((await more!.next()).value).toHaveLength(1000);
      expect(produced).toBeLessThan(consumed + 4);
    }
    expect(await more!.next()).toMatchObject({ done: true });
  });

  test.each([0, 1])('of %i chunks are plain replies', async (count) => {
    const reply = await ask(() => chunks(count, 10));
    expect(reply.more).toBeUndefined();
    expect(reply.body).toHaveLength(count * 10);
  });

  test('are produced no faster than they are consumed', async () => {
    let produced = 0;
    async function* counting() {
      for (;;) {
        produced++;
        yield new Uint8Array(1000);
      }
    }
    const reply = await ask(() => counting());
    for (let consumed = 0; consumed < 20; consumed++) {
      await reply.more!.next();
      expect(produced).toBeLessThan(consumed + 10);
    }
    await reply.more!.return(undefined);
  });

  test.each(['stops', 'never begins'])('stop at the source when the receiver %s', async (how) => {
    const ended = Promise.withResolvers<void>();
    const reply = await ask(() => chunks(1_000_000, 1000, ended.resolve));
    if (how === 'stops') await reply.more!.next();
    await reply.more!.return(undefined);
    await ended.promise;
  });

  test('fail for the receiver when the source fails', async () => {
    async function* failing() {
      yield new Uint8Array(10);
      yield new Uint8Array(10);
      yield new Uint8Array(10);
      throw new Error('the disk is gone');
    }
    const { more } = await ask(() => failing());
    await expect(Array.fromAsync(more!)).rejects.toMatchObject({ code: 'action_infrastructure_failure' });
  });

  test('that fail before they began are a failed request', async () => {
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield await Promise.reject(new Error('no first chunk'));
    };
    await expect(ask(() => failing())).rejects.toMatchObject({ code: 'action_infrastructure_failure' });
  });

  test('fail when the connections break, and send no message over the next connections', async () => {
    const { url, breakAll } = await buses.breakableLine();
    const ended = Promise.withResolvers<void>();
    const endless = () => chunks(1_000_000, 1000, ended.resolve);
    const service = await buses.replica(async () => ({ status: 200, body: endless() }), { url });
    const gateway = await buses.connect('gateway', { url });
    const { more } = await gateway.request(subject, '', { timeoutMs: 5000 });
    await more!.next();
    breakAll();
    await expect(Array.fromAsync(more!)).rejects.toMatchObject({ code: 'action_infrastructure_failure' });
    await ended.promise;
    // Waits for both to be connected again.
    const again = await gateway.request(subject, '', { timeoutMs: 20_000, effect: 'read' });
    await again.more!.return(undefined);
    for (const bus of [gateway, service, gateway, service]) await bus.flush();
  });

  test('fail at once for a consumer that begins after the connection broke, also when it works again', async () => {
    const { url, breakAll } = await buses.breakableLine();
    await buses.replica(async () => ({ status: 200, body: chunks(1_000_000, 1000) }), { url });
    const gateway = await buses.connect('gateway', { url });
    const ask = async () => (await gateway.request(subject, '', { timeoutMs: 20_000, effect: 'read' })).more!;
    const [read, unread] = [await ask(), await ask()];
    breakAll();
    const again = await ask();
    await expect(read.next()).rejects.toMatchObject({ code: 'action_platform_unavailable' });
    for (const more of [unread, again]) await more.return(undefined);
    await gateway.flush();
  });

  test('arrive a window at a time when their receiver requests ahead', async () => {
    const service = await buses.replica(async () => ({ status: 200, body: chunks(10, 1000) }));
    const receiver = await buses.connectRaw('gateway');
    const inbox = createInbox(inboxPrefix('gateway'));
    const arrived: string[] = [];
    const windowArrived = Promise.withResolvers<void>();
    let credits = '';
    receiver.subscribe(`${inbox}.*`, {
      callback: (_error, chunk) => {
        arrived.push(`${chunk.subject.slice(inbox.length + 1)}: ${chunk.headers?.get('chunk')}`);
        if (arrived.length === 5) windowArrived.resolve();
        if (arrived.length > 1) return;
        credits = chunk.reply!;
        for (let ahead = 1; ahead <= 4; ahead++) {
          receiver.publish(credits, undefined, { reply: `${inbox}.${ahead}` });
        }
      },
    });
    receiver.publish(subject, '', { reply: `${inbox}.0` });
    await windowArrived.promise;
    const cancel = createHeaders();
    cancel.set('cancel', 'true');
    receiver.publish(credits, undefined, { headers: cancel });
    await service.drain();
    await receiver.flush();
    expect(arrived).toEqual(['0: 0', '1: 1', '2: 2', '3: 3', '4: 4']);
  });
});
