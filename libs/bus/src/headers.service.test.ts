import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { headers as createHeaders } from '@nats-io/transport-node';
import { ok, subject, TestConnections, text } from './test-support/test-connections.ts';

const buses = new TestConnections();
const connect = buses.connect.bind(buses);

beforeAll(() => buses.start());
afterAll(() => buses.stop());

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
    const { service, gateway } = await buses.pair(async (request) => ({
      status: 200,
      headers: { back: request.header('there') },
      body: Buffer.from(request.header('x-principal')),
    }));
    const reply = await gateway.request(subject, '', { timeoutMs: 5000, headers: { there: value } });
    expect(reply.header('back')).toBe(value);
    expect(text(reply.body)).toBe('');
    await service.drain();
  });

  test('of another client arrive unchanged', async () => {
    const service = await connect('record-store');
    const client = await buses.connectRaw('gateway');
    service.serve(subject, 'record-store', async (request) => ok(request.header('there')));
    await service.flush();
    const headers = createHeaders();
    headers.set('there', '"no JSON');
    const answer = await client.request(subject, '', { timeout: 5000, headers });
    expect(answer.string()).toBe('"no JSON');
    await service.drain();
  });
});
