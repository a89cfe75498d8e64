import { expect, test } from '@jest/globals';
import { RecentlyOpen } from './recently-open.ts';

test('requests count while they are open, until two periods have begun after them', () => {
  const open = new RecentlyOpen();
  for (const at of [1001, 1049, 1051]) open.began(at);
  expect(open.count).toBe(3);
  open.ended(1001);
  open.ended(1051);
  expect(open.count).toBe(1);
  open.began(1100);
  expect(open.count).toBe(1);
  open.ended(1049);
  open.ended(1100);
  expect(open.count).toBe(0);
});

test('after a pause only new requests count', () => {
  const open = new RecentlyOpen();
  open.began(1001);
  open.began(9000);
  open.ended(1001);
  expect(open.count).toBe(1);
});
