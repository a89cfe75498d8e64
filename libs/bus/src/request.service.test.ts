import { describe, expect, test } from '@jest/globals';
import { headers as createHeaders } from '@nats-io/transport-node';
import type { BusAnswer } from './answer.ts';
import { failures, ok, subject, TestConnections, text } from './test-support/test-connections.ts';

const buses = new TestConnections();

describe('request and reply', () => {
  test('carries the body, the headers and the status both ways', async () => {
    const { gateway } = await buses.pair(async (request) => ({
      status: 400,
      headers: { 'retry-after': '7' },
      body: Buffer.from(
        `${text(request.body)} ${request.header('x-request-id')} ${request.header('absent')}|`,
      ),
    }));
    const reply = await gateway.request(subject, 'hello', {
      timeoutMs: 2000,
      headers: { 'x-request-id': 'r-ü' },
    });
    expect(reply.status).toBe(400);
    expect(reply.header('retry-after')).toBe('7');
    expect(text(reply.body)).toBe('hello r-ü |');
  });

  test('has an unknown outcome when the connection closes meanwhile', async () => {
    const seen = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<BusAnswer>();
    const { gateway } = await buses.pair(() => {
      seen.resolve();
      return answer.promise;
    });
    const asked = gateway.request(subject, '', { timeoutMs: 60_000 });
    const failed = expect(asked).rejects.toMatchObject({ code: 'action_infrastructure_failure' });
    await seen.promise;
    await gateway.drain();
    await failed;
    await expect(gateway.request(subject, '', { timeoutMs: 60_000 })).rejects.toMatchObject({
      code: 'action_platform_unavailable',
    });
    answer.resolve(ok('late'));
  });
});

describe('draining', () => {
  test('abandons requests at its limit, and still does the last work', async () => {
    const taken = Promise.withResolvers<void>();
    const { service, gateway } = await buses.pair(() => {
      taken.resolve();
      return new Promise(() => {});
    });
    void gateway.request(subject, '', { timeoutMs: 60_000 }).catch(() => {});
    await taken.promise;
    let isFinished = false;
    const finish = async () => {
      isFinished = true;
    };
    await service.drain(finish, Promise.resolve());
    expect(isFinished).toBe(true);
  });

  test('answers the requests that were taken, and leaves the others to other replicas', async () => {
    const answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return ok('done');
    };
    const { service: leaving, gateway } = await buses.pair(answer);
    await buses.replica(answer);
    const asked = Array.from({ length: 300 }, () => gateway.request(subject, '', { timeoutMs: 5000 }));
    const drained = leaving.drain();
    asked.push(...Array.from({ length: 300 }, () => gateway.request(subject, '', { timeoutMs: 5000 })));
    const replies = await Promise.all(asked);
    expect(replies.every((reply) => reply.status === 200)).toBe(true);
    await drained;
  });
});

describe('a message that cannot be sent', () => {
  test('fails alone, with an error of its own when it is too large', async () => {
    const seen: number[] = [];
    const { gateway } = await buses.pair(async ({ body }) => {
      seen.push(body.length);
      return ok('');
    });
    const options = { timeoutMs: 50 };
    const tooLarge = { code: 'request_body_too_large' };
    const body = new Uint8Array(3_000_000);
    for (const request of [
      gateway.request(subject, body, options),
      gateway.request(subject, body, { ...options, effect: 'read' }),
      gateway.request(subject, text(body), options),
      gateway.request(subject, '', { ...options, headers: { 'x-principal': text(body) } }),
    ])
      await expect(request).rejects.toMatchObject(tooLarge);
    expect((await gateway.request(subject, 'fits', { timeoutMs: 5000 })).status).toBe(200);
    expect(seen).toEqual([4]);
  });

  test('is a failed request when it is the answer', async () => {
    const tooLarge = new Uint8Array(3_000_000);
    const answers: (() => BusAnswer)[] = [
      () => ({ status: 200, headers: { 'retry-after': text(tooLarge) }, body: new Uint8Array() }),
      () => {
        throw new Error('a handler must not throw');
      },
    ];
    const { gateway } = await buses.pair(async ({ body }) => answers[Number(text(body))]!());
    for (const index of answers.keys())
      for (const [effect, code] of failures) {
        const request = gateway.request(subject, String(index), { timeoutMs: 60_000, effect });
        await expect(request).rejects.toMatchObject({ code });
      }
  });
});

describe('headers', () => {
  test.each([
    ['plain', 'a value'],
    ['empty', ''],
    ['outside ASCII', 'Grüße, 世界, 👋'],
    ['with line breaks', 'one\r\nx-principal: forged\r\n\r\ntwo'],
    ['with white space at its ends', ' \t both\u00a0'],
    ['in quotes', '"quoted" \\ "'],
    ['with half of a surrogate pair', 'half \ud83d'],
    ['with control characters', '\u0000\u001b\u007f'],
  ])('carry a value that is %s both ways', async (_name, value) => {
    const { gateway } = await buses.pair(async (request) => ({
      status: 200,
      headers: { back: request.header('there') },
      body: Buffer.from(request.header('x-principal')),
    }));
    const reply = await gateway.request(subject, '', { timeoutMs: 5000, headers: { there: value } });
    expect(reply.header('back')).toBe(value);
    expect(text(reply.body)).toBe('');
  });

  test('of another client arrive unchanged', async () => {
    const client = await buses.connectRaw('gateway');
    await buses.replica(async (request) => ok(request.header('there')));
    const headers = createHeaders();
    headers.set('there', '"no JSON');
    const answer = await client.request(subject, '', { timeout: 5000, headers });
    expect(answer.string()).toBe('"no JSON');
  });
});
