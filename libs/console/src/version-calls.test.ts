import { expect, test } from '@jest/globals';
import { callOf } from '../browser/pages/records/version-calls.js';

test('a version has the call of its Member about then, unless the log has others', () => {
  const version = (created_at: string, created_by: string) => ({ created_at, created_by });
  const versions = [
    version('2026-05-02T10:00:01.000Z', 'grace'),
    version('2026-05-02T10:00:00.000Z', 'grace'),
    version('2026-05-01T02:00:00.000Z', 'ada'),
  ];
  const entry = (at: string, user_id: string, grant_id: string | undefined, more: object = {}) =>
    ({ at, user_id, grant_id, operation: 'record_store.patch_record', outcome: 'done', ...more }) as never;
  const session = entry('2026-05-02T10:00:01.100Z', 'grace', undefined);
  const agent = entry('2026-05-02T10:00:00.100Z', 'grace', 'rgr_1');
  const night = entry('2026-05-01T02:00:00.100Z', 'ada', 'rgr_2', { operation: 'record_store.push_records' });
  const read = entry('2026-05-01T02:00:02.000Z', 'ada', 'rgr_3', { operation: 'record_store.get_record' });
  const calls = (entries: never[]) => versions.map((each) => callOf(each, versions, entries));
  expect(calls([session, agent, read, night])).toEqual([session, agent, night]);
  expect(calls([agent, night])).toEqual([undefined, undefined, night]);
  const late = entry('2026-05-01T02:01:00.000Z', 'ada', 'rgr_2');
  expect(calls([late])).toEqual([undefined, undefined, undefined]);
});
