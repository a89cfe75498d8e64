import { expect, test } from '@jest/globals';
import { questionIn } from './protocol.ts';

test('a replica reads the questions as replicas of every version send them, and no other message', () => {
  const read = (body: string) => questionIn(Buffer.from(body));
  expect(read('')).toEqual({ ask: 'ping' });
  expect(read('["a.b","c"]')).toEqual({ ask: 'reconcile', replies: ['a.b', 'c'] });
  expect(read('{"redeliver":"a.b"}')).toEqual({ ask: 'redeliver', reply: 'a.b' });
  for (const body of ['null', '5', '[1]', '{"redeliver":1}', '{"ask":"ping"}', '{'])
    expect(read(body)).toBeUndefined();
});
