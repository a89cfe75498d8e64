import { expect, test } from '@jest/globals';
import { headers, type Msg } from '@nats-io/transport-node';
import { ok, subject, TestConnections, text } from '../test-support/test-connections.ts';
import { headersBytes } from './internals.ts';

const buses = new TestConnections();

test('a handshake ends when its connection breaks, not at the time limit for connecting, and the loss is logged once', async () => {
  const logged: string[] = [];
  await buses.replica(async () => ok('here'));
  const line = await buses.breakableLine();
  const onEvent = ({ message }: { readonly message: string }) => logged.push(message);
  const gateway = await buses.connect('gateway', { url: line.url, onEvent });
  line.breakHandshakes(4);
  line.breakAll();
  // Each handshake would take two seconds to be given up.
  const asked = gateway.request(subject, '', { timeoutMs: 6_000, effect: 'read' });
  expect(text((await asked).body)).toBe('here');
  expect(logged).toEqual([
    'lost the connection to the NATS server; reconnecting',
    'reconnected to the NATS server',
  ]);
});

test('the size of headers is known before they are parsed', async () => {
  const nc = await buses.connectRaw('record-store');
  const received = Promise.withResolvers<Msg>();
  const sent = headers();
  for (let index = 0; index < 100; index++) sent.append('name', 'ü'.repeat(index));
  const event = 'event.replica.record-store';
  const gateway = await buses.connectRaw('gateway');
  gateway.subscribe(event, { callback: (_error, message) => received.resolve(message) });
  await gateway.flush();
  nc.publish(event, 'body', { headers: sent });
  const message = await received.promise;
  const lines = Array.from({ length: 100 }, (_, index) => `name: ${'ü'.repeat(index)}\r\n`).join('');
  expect(headersBytes(message)).toBe(Buffer.byteLength(`NATS/1.0\r\n${lines}\r\n`));
});
