import { EVENTS } from '@action-platform/contracts/bus';
import { expect, test } from '@jest/globals';
import { TestConnections, text } from '../test-support/test-connections.ts';
import type { StoredMessage } from './stored-message.ts';

const buses = new TestConnections();

const described = (messages: readonly StoredMessage[]) =>
  messages.map(({ body, publisher, sequence }) => `${sequence} ${publisher}: ${text(body)}`);
const message = (workspaceId: string, id: string) => ({ workspaceId, id, body: id, timeoutMs: 5_000 });
const everything = { from: 1, limit: 100 };

test('a stream keeps messages in order, each once, and a reader reads those of a Workspace from a sequence on', async () => {
  const [events, mail, grants] = [
    (await buses.connect('events')).streams,
    (await buses.connect('mail')).streams,
    (await buses.connect('grants')).streams,
  ];
  await events.create(EVENTS);
  await events.create(EVENTS);
  expect(await events.state(EVENTS)).toMatchObject({ lastSequence: 0, createdAt: expect.any(Date) });
  expect(await events.read(EVENTS, everything)).toEqual([]);

  expect(await mail.store(EVENTS, message('ws_1', 'a'))).toEqual({ sequence: 1 });
  expect(await grants.store(EVENTS, message('ws_1', 'b'))).toEqual({ sequence: 2 });
  expect(await mail.store(EVENTS, message('ws_1', 'a'))).toEqual({ sequence: 1 });
  expect(await mail.store(EVENTS, message('ws_2', 'c'))).toEqual({ sequence: 3 });
  expect(await mail.store(EVENTS, message('ws_1', 'd'))).toEqual({ sequence: 4 });

  expect(described(await events.read(EVENTS, everything))).toEqual([
    '1 mail: a',
    '2 grants: b',
    '3 mail: c',
    '4 mail: d',
  ]);
  const readOfWorkspace = async (from: number, limit: number) =>
    described(await events.read(EVENTS, { workspaceId: 'ws_1', from, limit }));
  expect(await readOfWorkspace(1, 2)).toEqual(['1 mail: a', '2 grants: b']);
  expect(await readOfWorkspace(3, 2)).toEqual(['4 mail: d']);
  expect(await readOfWorkspace(5, 2)).toEqual([]);
  expect(described(await events.read(EVENTS, { ...everything, maxBytes: 1 }))).toEqual(['1 mail: a']);
  const nothingUpTo = (from: number, workspaceId: string) =>
    events.nothingUpTo(EVENTS, { from, workspaceId });
  expect(await nothingUpTo(4, 'ws_2')).toBe(4);
  expect(await nothingUpTo(1, 'ws_2')).toBe(2);
  expect(await nothingUpTo(1, 'ws_1')).toBe(0);
  const operator = (await buses.connect('admin')).streams;
  await operator.change(EVENTS, 1_000_000);
  await events.create(EVENTS);
  expect(await operator.state(EVENTS)).toMatchObject({ firstSequence: 1, maxBytes: 1_000_000, replicas: 1 });
});
