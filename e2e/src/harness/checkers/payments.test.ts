import { expect, test } from '@jest/globals';
import type { History, Payment } from '../history.ts';
import { checkPayments } from './payments.ts';

test('a second request or key, a payment that nobody asked for, one that was not made, that most were refused, and that none was held are found', () => {
  const of = (what: Payment, is: 'done' | 'unknown', requests: number, ...keys: string[]) => {
    const entries = [{ action: { what, key: 'a' }, outcome: { is }, attempts: [{ approvalId: 'apv_1' }] }];
    const paid = new Map(requests === 0 ? [] : [['a', { requests, keys: new Set(keys) }]]);
    return [...checkPayments({ entries, paid } as unknown as History)];
  };
  expect(of('pay_once', 'done', 1, '')).toEqual([]);
  const none = (what: Payment) => `${what}: 0 of 1 payments were acknowledged`;
  expect(of('pay_tool', 'unknown', 0)).toEqual([none('pay_tool')]);
  expect(of('pay_keyed', 'done', 3, 'cex_1')).toEqual([]);
  expect(of('pay_once', 'unknown', 2, '')).toEqual(['a: 2 requests with 1 keys', none('pay_once')]);
  expect(of('pay_keyed', 'done', 2, 'cex_1', 'cex_2')).toEqual(['a: 2 requests with 2 keys']);
  expect(of('pay_keyed', 'done', 1, '')).toEqual(['a: without a key']);
  expect(of('pay_keyed', 'unknown', 1, 'cex_1')).toEqual(['a: not acknowledged', none('pay_keyed')]);
  expect(of('pay_tool', 'done', 0)).toEqual(['a: acknowledged, but not paid']);
  expect([
    ...checkPayments({ entries: [], paid: new Map([['b', { requests: 1, keys: new Set(['']) }]]) }),
  ]).toEqual(['b: no client asked for it', 'no payment waited for an approval']);
});
