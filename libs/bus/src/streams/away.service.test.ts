import { EVENTS } from '@action-platform/contracts/bus';
import { expect, test } from '@jest/globals';
import { OwnServer } from '../test-support/own-server.ts';
import { text } from '../test-support/test-connections.ts';

const server = new OwnServer();

test('stored messages outlive a restart; while JetStream is away, every call is refused', async () => {
  const [events, mail] = [await server.connect('events'), await server.connect('mail')];
  const store = (id: string) => mail.streams.store(EVENTS, { id, body: id, timeoutMs: 1_000 });
  await expect(store('a')).rejects.toMatchObject({ code: 'action_platform_unavailable' });
  await events.streams.create(EVENTS);
  await store('a');

  await server.restart({ hasJetStream: false });
  await Promise.all([events.flush(), mail.flush()]);
  await expect(store('b')).rejects.toMatchObject({ code: 'action_platform_unavailable' });
  for (const asked of [
    events.streams.create(EVENTS),
    events.streams.state(EVENTS),
    events.streams.read(EVENTS, { from: 1, limit: 1 }),
    events.streams.nothingUpTo(EVENTS, { from: 1, workspaceId: 'ws_1' }),
  ])
    await expect(asked).rejects.toThrow();

  await server.restart({ hasJetStream: true });
  await Promise.all([events.flush(), mail.flush()]);
  expect(await store('b')).toEqual({ sequence: 2 });
  const kept = await events.streams.read(EVENTS, { from: 1, limit: 10 });
  expect(kept.map(({ body }) => text(body))).toEqual(['a', 'b']);
});
