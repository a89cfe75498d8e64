import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ReceivedMessage } from '../headers.ts';
import { inPacks, MOST_IN_A_PACK, packHeaders, packOf, toPacked, unpacked } from './pack.ts';

const incoming = (data: Uint8Array, reply = '') => ({ subject: 'pack', reply, headers: packHeaders, data });

const items = fc.array(
  fc.record({
    subject: fc.string(),
    headers: fc.dictionary(fc.stringMatching(/^[a-z][a-z-]{0,20}$/), fc.string({ unit: 'binary' })),
    body: fc.uint8Array(),
  }),
  { minLength: 1, maxLength: MOST_IN_A_PACK },
);

test('whatever goes into a pack comes out of it', () => {
  fc.assert(
    fc.property(items, (sent) => {
      const packed = sent.map(({ subject, headers, body }) => toPacked(subject, headers, body));
      const received = unpacked(incoming(packOf(packed)))!.map((each) => {
        const message = new ReceivedMessage(each);
        const headers = Object.fromEntries(message.headerNames.map((name) => [name, message.header(name)]));
        return { subject: message.subject, headers, body: message.body };
      });
      expect(received.map(({ body }) => [...body])).toEqual(sent.map(({ body }) => [...body]));
      expect(received.map(({ subject }) => subject)).toEqual(sent.map(({ subject }) => subject));
      for (const [index, { headers }] of sent.entries())
        expect(Object.entries(received[index]!.headers)).toEqual(Object.entries(headers));
    }),
  );
});

test('nothing else is taken for a pack', () => {
  const good = packOf([toPacked('a', { name: 'value' }, 'body'), toPacked('b', {}, '')]);
  expect(unpacked(incoming(good))).toHaveLength(2);
  expect(unpacked({ subject: 'pack', reply: '', data: good })).toBeUndefined();
  const tooMany = packOf(Array.from({ length: MOST_IN_A_PACK + 1 }, () => toPacked('a', {}, '')));
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
    expect(unpacked(incoming(data))).toBeUndefined();
});

test('no pack holds more than it may, and none is empty', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(70_000), { maxLength: 100 }), (lengths) => {
      const all = lengths.map((length) => toPacked('a', {}, new Uint8Array(length)));
      const packs = inPacks(all);
      expect(packs.flat()).toEqual(all);
      for (const pack of packs) {
        expect(pack.length).toBeGreaterThan(0);
        expect(pack.length).toBeLessThanOrEqual(MOST_IN_A_PACK);
        if (pack.length > 1) expect(packOf(pack).length).toBeLessThanOrEqual(64 * 1024);
      }
    }),
    { numRuns: 20 },
  );
});

test('only what is alone says where demands for the rest of it go', () => {
  const one = packOf([toPacked('a', {}, '')]);
  const two = packOf([toPacked('a', {}, ''), toPacked('b', {}, '')]);
  expect(unpacked(incoming(one, 'demands'))!.map(({ reply }) => reply)).toEqual(['demands']);
  expect(unpacked(incoming(two, 'demands'))!.map(({ reply }) => reply)).toEqual([undefined, undefined]);
});
