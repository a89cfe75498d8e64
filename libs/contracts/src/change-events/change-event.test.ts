import { expect, test } from '@jest/globals';
import { type Change, changeEvent, changeEventOf } from './change-event.ts';

const change: Change = {
  workspaceId: 'ws_1',
  type: 'record.pushed',
  subject: 'rec_1',
  distinct: 1,
  time: new Date('2026-05-01T09:30:00.000Z'),
  data: {
    collection_id: 'col_1',
    record_id: 'rec_1',
    sequence: 1,
    version: 1,
    state: 'active',
    actor: { user_id: 'olga' },
    request_id: 'req_1',
  },
};

test('the event of a change keeps its id in every repetition, and no other change has it', () => {
  const event = changeEventOf('record-store', change);
  expect(changeEvent.parse(event)).toEqual(event);
  expect(event).toMatchObject({ source: '/workspaces/ws_1/record-store', time: '2026-05-01T09:30:00.000Z' });
  expect(changeEventOf('record-store', { ...change, time: new Date() }).id).toBe(event.id);
  const others: Partial<Change>[] = [
    { distinct: 2 },
    { subject: 'rec_2' },
    { workspaceId: 'ws_2' },
    { type: 'record.archived' },
  ];
  const ids = others.map((other) => changeEventOf('record-store', { ...change, ...other }).id);
  expect(new Set([event.id, ...ids]).size).toBe(5);
});
