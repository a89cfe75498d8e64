import { expect, test } from '@jest/globals';
import { grantsThatNeed, stepsOf, usedIn } from '../browser/pages/home/steps.js';
import { effectOf } from '../browser/text/effect.js';
import { grantAddress } from '../browser/text/grant-address.js';
import { grantState } from '../browser/text/spoken.js';

const DAY = 86_400_000;

test('an approval claims no more of an effect than its declaration does', () => {
  const about = (operation: string, isDestructive: boolean) => {
    const { title, text } = effectOf({ operation, isDestructive });
    return `${title} ${text}`;
  };
  for (const operation of ['custom.refund_order', 'record_store.push_record', 'mail.send_email'])
    for (const isDestructive of [false, true]) {
      expect(about(operation, isDestructive)).not.toContain('can be undone');
      expect(about(operation, isDestructive).includes('cannot be undone')).toBe(isDestructive);
      expect(about(operation, isDestructive).includes('does not know')).toBe(operation.startsWith('custom.'));
    }
});

test('the first steps fill as somebody goes, and end', () => {
  const none = { collections: 0, storedBytes: 0, grants: 0, rules: 0, held: 0, decided: 0 };
  const done = (known: object) => stepsOf({ ...none, ...known })?.map(({ isDone }) => isDone);
  expect(done({})).toEqual([false, false, false, false, false]);
  expect(done({ collections: 1, storedBytes: 9, rules: 1 })).toEqual([true, true, false, false, false]);
  expect(done({ collections: 1, storedBytes: 9, grants: 1, rules: 1, held: 1, decided: 1 })).toBeUndefined();
});

test('the grants that were last used in a period come before those that were used after it', () => {
  const used = (lastUsedAt: string | null) => ({ lastUsedAt });
  const [early, late, after, before] = ['02T08', '02T20', '03T09', '01T09'].map((time) =>
    used(`2026-05-${time}:00:00.000Z`),
  );
  const grants = [after, early, used(null), before, late] as never[];
  const from = '2026-05-02T00:00:00.000Z';
  expect(usedIn({ from, to: '2026-05-03T00:00:00.000Z' }, grants)).toEqual([late, early, after]);
  expect(usedIn({ from, to: undefined }, grants)).toEqual([after, late, early]);
});

test('grants that stopped or end soon need somebody', () => {
  const now = Date.parse('2026-05-01T00:00:00Z');
  const grant = (status: string, days: number, more = {}) =>
    ({
      id: `rgr_${status}`,
      name: status,
      kind: 'routine',
      status,
      expiresAt: new Date(now + days * DAY).toISOString(),
      ...more,
    }) as never;
  const needed = grantsThatNeed(
    [
      grant('active', 6),
      grant('active', 60),
      grant('revoked', 1),
      grant('stopped', 60, { stoppedReason: 'role_changed' }),
    ],
    now,
  );
  expect(needed.map(({ what }) => what)).toEqual(['A grant stopped: role changed', 'A grant ends in 6 days']);
  expect(needed[0]!.address).toBe('grants?kind=routine&q=rgr_stopped');
  expect(['ogr_1', 'agr_1'].map(grantAddress)).toEqual([
    'grants?kind=operation&q=ogr_1',
    'grants?kind=agent&q=agr_1',
  ]);
  expect(grantState(grant('active', 0.5), now).words).toBe('ends within a day');
});
