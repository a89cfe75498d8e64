import { setTimeout as delay } from 'node:timers/promises';
import { busHeaders, connectApp, createDraft, listVisibleFiles } from '@action-platform/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { answering, lines, malformedAnswers } from './answers.ts';
import { goingOn } from './long-answers.ts';
import { expectAnswer, expectFailures, outcomeOf } from './outcome.ts';
import { type Behaviour, RoguePlatform, SHORT_DEADLINE_MS } from './rogue-platform.ts';

/** Rogues in the place of services, of which other services call one: mail. */
const platform = new RoguePlatform();

beforeAll(() => platform.start(['procedures', 'knowledge', 'mail'], SHORT_DEADLINE_MS));
afterAll(() => platform.stop());

describe('answers of a rogue affect only its own callers', () => {
  test.each(malformedAnswers)('that %s', async (_what, behaviour) => {
    platform.behaviour = behaviour;
    await platform.unnoticed(async () => expectFailures(await platform.callRogues()));
  });
});

const good = (body: string) => answering(lines({ [busHeaders.status]: '200' }), body);
/** A long answer of one byte in each chunk. */
const dribbling: Behaviour = goingOn(async (send, n) => {
  await delay(50);
  send(String(n), false, ' ');
});

const nonsense: readonly (readonly [what: string, behaviour: Behaviour])[] = [
  ['null', good('null')],
  ['no JSON', good('[[[')],
  ['a list in which nothing is a text', good('{"found":[{"$gt":""}],"connectionId":{"$gt":""},"ok":1}')],
  ['a very long text', good(`{"found":"x","connectionId":"${'x'.repeat(1_500_000)}"}`)],
  ['as many values as fit', good(`{"found":[${'[],'.repeat(690_000)}[]]}`)],
  ['an unknown refusal', answering(lines({ [busHeaders.status]: '403' }), '{"error":{"code":"__proto__"}}')],
  ['one byte after the other', dribbling],
];

describe('answers of a rogue to other services affect only the calls that need them', () => {
  const json = { 'content-type': 'application/json' };

  test.each(nonsense)('to grants, as the connection of a mailbox: %s', async (_what, behaviour) => {
    platform.behaviour = behaviour;
    const { id: workspace, owner } = platform.workspace;
    await platform.unnoticed(async () => {
      // The bystander is this Owner.
      const member = { workspace, user: owner.userId, app: 'mail_suite', email: 'olga@example.com' } as const;
      await expect(platform.harness.platform.callAs('admin', connectApp, member)).rejects.toThrow();
    });
    await platform.unnoticed(async () => {});
  });

  test.each(nonsense)('to grants, as the senders of a grant: %s', async (_what, behaviour) => {
    platform.behaviour = behaviour;
    await platform.unnoticed(async () => {
      const asked = fetch(`${platform.harness.url}/api/v1/routine-grants`, {
        method: 'POST',
        headers: { ...json, authorization: `Bearer ${platform.workspace.owner.token}` },
        body: JSON.stringify({
          name: 'job',
          operations: ['mail.send_email'],
          data: { senderIds: ['snd_1'] },
          outputDefinition: 'report',
          maximumCadence: { invocations: 1, periodSeconds: 60 },
          expiresAt: new Date(Date.now() + 60_000).toISOString(),
        }),
      });
      expect([502, 503]).toContain(expectAnswer(await outcomeOf(asked)).status);
    });
  });

  test.each(nonsense)('to the gateway, as a health check: %s', async (_what, behaviour) => {
    platform.behaviour = behaviour;
    await platform.unnoticed(async () => {
      const { status, text } = expectAnswer(await outcomeOf(fetch(`${platform.harness.url}/readyz`)));
      expect(status).toBe(503);
      expect(text).toContain('mail');
    });
  });
});

test('once the true services run again, every call succeeds at once', async () => {
  await platform.replaceRogues();
  for (const operation of [createDraft, listVisibleFiles]) {
    expect(expectAnswer(await platform.call(operation)).status).toBe(200);
  }
});
