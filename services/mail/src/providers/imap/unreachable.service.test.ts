import type { Principal } from '@action-platform/contracts/authority';
import { busHeaders } from '@action-platform/contracts/bus';
import { aMember } from '@action-platform/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mail as mailService } from '../../service.ts';
import { ScriptedImap } from '../../test-support/scripted-imap.ts';
import { TestMail } from '../../test-support/test-mail.ts';

const mail = new TestMail();
/** The time of calls that meet a silent server, in milliseconds. */
const TIME_MS = 2_000;
let server: ScriptedImap;
let member: Principal;
beforeAll(() => mail.startWith(mailService));
afterAll(() => mail.stop());
beforeEach(async () => {
  server = await ScriptedImap.started();
  const { settings, email, secret } = server.account;
  const { host, port, starttls, ca } = settings;
  member = await mail.connected(aMember(), {
    provider: 'imap',
    email,
    settings: { host, port, starttls, ca: ca! },
    secret,
  });
});

afterEach(() => server.stop());

const key = { idempotency_key: 'key-1' };
/** The answer to the call, which is repeated when a busy machine lets its time end before the answer arrives. */
async function answered() {
  for (;;) {
    const answer = await mail.send(member, key, TIME_MS).catch(() => undefined);
    if (answer !== undefined) return answer;
  }
}

const submitted = async () => {
  const { db } = await mail.platform.database('mail');
  return await db.collection('attempts').findOne({ workspace_id: member.workspaceId });
};

describe('a draft', () => {
  test.each<[string, () => unknown]>([
    ['refuses connections', () => server.stop()],
    [
      'closes connections before its greeting',
      () => {
        server.script = (_asked, socket) => {
          socket.destroy();
          return null;
        };
      },
    ],
    [
      'never greets',
      () => {
        server.script = () => null;
      },
    ],
    [
      'never answers a sign-in',
      () => {
        server.script = (asked) => (/^(AUTHENTICATE|LOGIN)/.test(asked) ? null : undefined);
      },
    ],
  ])('for a server that %s is refused as not done, and may be repeated at once', async (_what, fail) => {
    fail();
    for (const _ of ['first', 'again']) {
      const answer = await answered();
      expect(answer).toMatchObject({ status: 503, error: { code: 'action_platform_unavailable' } });
      expect(Number(answer.header(busHeaders.retryAfter))).toBeGreaterThan(0);
    }
    expect(await submitted()).not.toHaveProperty('lease.begun_by');
  });

  test('is unknown after a server that becomes silent once it was signed in to', async () => {
    server.script = (asked) => (asked.endsWith('"*"') ? null : undefined);
    // On a busy machine the time of a call may end before the thread of its session has started.
    const statuses: unknown[] = [];
    while (statuses.length < 5 && statuses.at(-1) !== 'unknown') {
      const answer = await answered();
      statuses.push(answer.status === 200 ? answer.result.status : answer.status);
    }
    expect(statuses.at(-1)).toBe('unknown');
  });

  test('for a host whose name has no address is refused as not done', async () => {
    const { db } = await mail.platform.database('mail');
    const ofMember = { workspace_id: member.workspaceId };
    await db.collection('accounts').updateOne(ofMember, { $set: { 'settings.host': 'no.invalid' } });
    expect((await answered()).status).toBe(503);
  });
});
