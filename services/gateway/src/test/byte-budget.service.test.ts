import { authorize } from '@action-platform/contracts/calls';
import { createDraft, pushRecord } from '@action-platform/contracts/operations';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { RawConnection } from './raw-http.ts';
import { gatewayWithStandIns } from './stand-ins.ts';

const BODY_BYTES = 400_000;

const { harness, standIns } = gatewayWithStandIns([pushRecord, createDraft], {
  GATEWAY_MAX_BYTES_IN_FLIGHT: '1200000',
});
const pushed = pushRecord.subject;
let tokens: { greedy: string; quiet: string };
const connections: RawConnection[] = [];

beforeAll(async () => {
  const tokenOf = (workspaceId: string) => harness.issuer.token({ workspaceId, userId: 'u' });
  tokens = { greedy: await tokenOf('ws_1'), quiet: await tokenOf('ws_2') };
});
afterEach(() => {
  for (const { socket } of connections.splice(0)) socket.destroy();
});

/** Sends a push without the last byte of its body. */
async function upload(
  token: string,
  length: object = { 'Content-Length': BODY_BYTES },
): Promise<RawConnection> {
  const connection = await RawConnection.open(harness.url);
  connections.push(connection);
  const asked = standIns.asked(authorize.subject).length;
  connection.call(pushRecord, token, '', { Connection: 'close', ...length });
  while (standIns.asked(authorize.subject).length === asked) await new Promise(setImmediate);
  const body = 'x'.repeat(BODY_BYTES - 1);
  connection.write('Content-Length' in length ? body : `${body.length.toString(16)}\r\n${body}\r\n`);
  return connection;
}

/** Fills the share of the byte budget of a Workspace: of three uploads, the gateway refuses the one that it reads last. */
async function fill(length?: object): Promise<RawConnection[]> {
  const uploads = [];
  for (let i = 0; i < 3; i++) uploads.push(await upload(tokens.greedy, length));
  const last = await Promise.race(uploads.map((each) => each.answer().then(() => each)));
  const refusal = await last.refusal('action_platform_unavailable');
  expect(refusal.recoverable).toBe(true);
  expect((await last.answer()).headers['retry-after']).toMatch(/^\d+$/);
  return uploads.filter((each) => each !== last);
}

describe('a body for which the byte budget has no room is refused', () => {
  test.each([
    ['of a declared length', undefined],
    ['of an unknown length', { 'Transfer-Encoding': 'chunked' }],
  ])('%s, before the rest of it arrives', async (_what, length) => {
    await fill(length);
    expect(standIns.asked(pushed)).toEqual([]);
  });

  test('while small calls of the same caller, and bodies of another Workspace, are served', async () => {
    await fill();
    const [small, large] = await Promise.all([
      harness.execute(tokens.greedy, createDraft, {}),
      harness.execute(tokens.quiet, pushRecord, 'x'.repeat(60_000)),
    ]);
    expect([small.status, large.status]).toEqual([200, 200]);
  });

  test.each<[string, (upload: RawConnection) => void, number]>([
    ['is answered', (each) => each.write('x'), 200],
    ['is broken off', (each) => each.socket.end(), 400],
  ])('until another one %s', async (_what, end, status) => {
    for (const each of await fill()) {
      end(each);
      expect((await each.answer()).status).toBe(status);
    }
    const uploads = await fill();
    for (const each of uploads) each.write('x');
    for (const each of uploads) expect((await each.answer()).status).toBe(200);
  });
});
