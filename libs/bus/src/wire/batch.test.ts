import { anyCharacter } from '@action-platform/testing/arbitraries';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { batchHeaders } from '../nats/headers.ts';
import { decodeBatch, encodeBatch, inBatches, MAX_BATCH_ITEMS, toBatchItem } from './batch.ts';
import { ReceivedMessage } from './headers.ts';
import type { Incoming } from './incoming.ts';

const incoming = (data: Uint8Array, reply = '') =>
  ({ subject: 'batch', reply, headers: batchHeaders, data }) as unknown as Incoming;

const items = fc.array(
  fc.record({
    subject: fc.string(),
    headers: fc.dictionary(fc.stringMatching(/^[a-z][a-z-]{0,20}$/), fc.string({ unit: anyCharacter })),
    body: fc.uint8Array(),
  }),
  { minLength: 1, maxLength: MAX_BATCH_ITEMS },
);

test('decoding a batch gives the items that were encoded', () => {
  fc.assert(
    fc.property(items, (sent) => {
      const toItem = sent.map(({ subject, headers, body }) => toBatchItem(subject, headers, body));
      const received = decodeBatch(incoming(encodeBatch(toItem)))!.map((each) => new ReceivedMessage(each));
      expect(received.map(({ body }) => [...body])).toEqual(sent.map(({ body }) => [...body]));
      expect(received.map(({ subject }) => subject)).toEqual(sent.map(({ subject }) => subject));
      for (const [index, { headers }] of sent.entries())
        for (const [name, value] of Object.entries(headers))
          expect(received[index]!.header(name)).toBe(value);
    }),
  );
});

test('no other message decodes as a batch', () => {
  const good = encodeBatch([toBatchItem('a', { name: 'value' }, 'body'), toBatchItem('b', {}, '')]);
  expect(decodeBatch(incoming(good))).toHaveLength(2);
  expect(decodeBatch({ subject: 'batch', data: good })).toBeUndefined();
  const tooMany = encodeBatch(Array.from({ length: MAX_BATCH_ITEMS + 1 }, () => toBatchItem('a', {}, '')));
  const wrong = [
    '',
    'text',
    '\n',
    '[]\n',
    'null\n',
    '[["a",{},0]]',
    '[["a",{},1]]\n',
    '[["a",{},0]]\nmore',
    '[["a",{},-1]]\nx',
    '[["a",{},0.5]]\n',
    '[["a",{"name":1},0]]\n',
    '[["a",null,0]]\n',
    '[[1,{},0]]\n',
    `[["${'a'.repeat(64 * 1024)}",{},0]]\n`,
  ].map((text) => Buffer.from(text));
  for (const data of [...wrong, tooMany, good.subarray(1), good.subarray(0, -1)])
    expect(decodeBatch(incoming(data))).toBeUndefined();
});

test('every batch is within its limits and has an item', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(70_000), { maxLength: 100 }), (lengths) => {
      const all = lengths.map((length) => toBatchItem('a', {}, new Uint8Array(length)));
      const batches = inBatches(all);
      expect(batches.flat()).toEqual(all);
      for (const batch of batches) {
        expect(batch.length).toBeGreaterThan(0);
        expect(batch.length).toBeLessThanOrEqual(MAX_BATCH_ITEMS);
        if (batch.length > 1) expect(encodeBatch(batch).length).toBeLessThanOrEqual(64 * 1024);
      }
    }),
    { numRuns: 20 },
  );
});

test('only a batch of one item has a reply subject for credits', () => {
  const one = encodeBatch([toBatchItem('a', {}, '')]);
  const two = encodeBatch([toBatchItem('a', {}, ''), toBatchItem('b', {}, '')]);
  expect(decodeBatch(incoming(one, 'credits'))!.map(({ reply }) => reply)).toEqual(['credits']);
  expect(decodeBatch(incoming(two, 'credits'))!.map(({ reply }) => reply)).toEqual([undefined, undefined]);
});
