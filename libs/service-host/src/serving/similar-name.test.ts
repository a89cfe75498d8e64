import { expect, test } from '@jest/globals';
import { similarName } from './similar-name.ts';

const known = ['collection_id', 'record_id', 'payload', 'to', 'cc', 'idempotency_key'];

test.each([
  ['collectionId', 'collection_id'],
  ['Collection-ID', 'collection_id'],
  ['colection_id', 'collection_id'],
  ['paylod', 'payload'],
  ['recordid', 'record_id'],
  ['idempotencyKey', 'idempotency_key'],
  ['idempotence_key', 'idempotency_key'],
])('%s was probably meant to be %s', (name, meant) => {
  expect(similarName(name, known)).toBe(meant);
});

const others = ['', 'a', 'bc', 'id', '__proto__', 'constructor', 'payload_and_more', 'x'.repeat(1_000_000)];
test.each(others.map((name) => [name.slice(0, 20), name]))('"%s" could be anything', (_begin, name) => {
  expect(similarName(name, known)).toBeUndefined();
});
