import { expect, test } from '@jest/globals';
import { checkPayments, type Kind } from './payments.ts';

test('a second request or key, an order that nobody asked for, and one that was not paid are found', () => {
  const of = (kind: Kind, is: 'done' | 'unknown', requests: number, ...keys: string[]) => {
    const answers = [{ outcome: { is } as never, attempts: [] }];
    const paid = requests === 0 ? [] : ([[`${kind} a`, { requests, keys: new Set(keys) }]] as const);
    return [...checkPayments([{ kind, order: 'a', answers }], new Map(paid))];
  };
  expect(of('once', 'done', 1, '')).toEqual([]);
  expect(of('tool', 'unknown', 0)).toEqual([]);
  expect(of('keyed', 'done', 3, 'cex_1')).toEqual([]);
  expect(of('once', 'unknown', 2, '')).toEqual(['once a: 2 requests with 1 keys']);
  expect(of('keyed', 'done', 2, 'cex_1', 'cex_2')).toEqual(['keyed a: 2 requests with 2 keys']);
  expect(of('keyed', 'done', 1, '')).toEqual(['keyed a: without a key']);
  expect(of('keyed', 'unknown', 1, 'cex_1')).toEqual(['keyed a: not acknowledged']);
  expect(of('tool', 'done', 0)).toEqual(['tool a: acknowledged, but not paid']);
  expect([...checkPayments([], new Map([['once b', { requests: 1, keys: new Set(['']) }]]))]).toEqual([
    'once b: no client asked for it',
  ]);
});
