import { once } from 'node:events';
import { createDraft, listVisibleFiles } from '@action-platform/contracts/operations';
import { expect, test } from '@jest/globals';
import { callingTool } from '../../test/mcp-client.ts';
import type { RawConnection } from '../../test/raw-http.ts';
import { gatewayWithStandIns } from '../../test/stand-ins.ts';

const MEGABYTE = 1024 * 1024;
const RESULT_MEGABYTES = 6;
/** Room for one result, and not for two. */
const { harness, standIns } = gatewayWithStandIns([listVisibleFiles, createDraft], {
  GATEWAY_MAX_BYTES_IN_FLIGHT: String(10 * MEGABYTE),
});

/** Calls a tool with a structured result, and reads nothing of the answer yet. Resolves when the gateway has the result, or refuses it. */
async function calling(operation: typeof listVisibleFiles | typeof createDraft = listVisibleFiles) {
  const ended = Promise.withResolvers<boolean>();
  standIns.answers.set(operation.subject, async () => ({ status: 200, body: result() }));
  async function* result() {
    let sent = 0;
    try {
      yield Buffer.from('{"result":"');
      for (; sent < RESULT_MEGABYTES; sent++) yield Buffer.alloc(MEGABYTE, 'x');
      yield Buffer.from('"}');
    } finally {
      ended.resolve(sent === RESULT_MEGABYTES);
    }
  }
  const connection = await callingTool(harness, harness.token, operation);
  connection.socket.pause();
  return { connection, isTaken: await ended.promise };
}

/** Calls the tool until the gateway has room for its result: the result of a call before may still leave it. */
async function withRoom(): Promise<RawConnection> {
  for (;;) {
    const { connection, isTaken } = await calling();
    if (isTaken) return connection;
    connection.socket.destroy();
  }
}

/** Whether a connection gets the result; the gateway refuses it where the byte budget has no room. */
async function isAnswered(connection: RawConnection): Promise<boolean> {
  connection.socket.resume();
  const isLong = () => connection.received.length > MEGABYTE;
  while (!isLong() && !connection.received.includes('action_platform_unavailable'))
    await once(connection.socket, 'data');
  return isLong();
}

test.each(['reads it', 'leaves'])(
  'a structured result takes the byte budget until its reader %s',
  async (end) => {
    const slow = await withRoom();
    expect(await isAnswered((await calling()).connection)).toBe(false);
    if (end === 'leaves') slow.socket.destroy();
    else expect(await isAnswered(slow)).toBe(true);
    expect(await isAnswered(await withRoom())).toBe(true);
  },
);

test('a write without room for its result is not refused as if nothing were done', async () => {
  const slow = await withRoom();
  const { connection, isTaken } = await calling(createDraft);
  expect(isTaken).toBe(false);
  connection.socket.resume();
  while (!/action_[a-z_]+/.test(connection.received)) await once(connection.socket, 'data');
  expect(connection.received).toContain('action_infrastructure_failure');
  for (const { socket } of [slow, connection]) socket.destroy();
});
