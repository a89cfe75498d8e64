import { setTimeout as delay } from 'node:timers/promises';
import { type Principal, rekeyMailSecrets } from '@action-platform/contracts';
import type { TestProcess } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dovecotCounterpart } from '../../test-support/dovecot-counterpart.ts';
import { describeOnDovecot } from '../../test-support/test-dovecot.ts';
import { newSecretKey, TestMail } from '../../test-support/test-mail.ts';

const CALLERS = 4;
/** The pause of a caller between two calls, in milliseconds. */
const PAUSE_MS = 50;
const REPLICAS = 2;

describeOnDovecot('the keys of mailboxes', () => {
  const counterpart = dovecotCounterpart();
  const mail = new TestMail(counterpart);
  beforeAll(() => counterpart.start());
  afterAll(() => mail.stop());

  test('are replaced by the steps of docs/mailboxes.md without a failed call', async () => {
    const [former, next] = [newSecretKey('former'), newSecretKey('next')];
    const replicas: TestProcess[] = [];
    const restart = async (...keys: string[]) => {
      for (let replica = 0; replica < REPLICAS; replica++) {
        replicas[replica]?.signal('SIGTERM');
        expect(await (replicas[replica]?.exited ?? 0)).toBe(0);
        replicas[replica] = await mail.spawn({ MAIL_SECRET_KEYS: keys.join() });
      }
    };
    await restart(former);
    const members: Principal[] = [];
    for (let count = 0; count < CALLERS; count++) members.push(await mail.member());

    let isOver = false;
    const outcomes = new Map<string, number>();
    const use = async (member: Principal, index: number) => {
      while (!isOver) {
        // Every other mailbox is connected again now and then, and gets its password encrypted anew.
        const caller =
          index % 2 === 0 && Math.random() < 0.1
            ? await mail.reconnected(member, `${member.userId}@example.com`)
            : member;
        const { status, text } = await mail.send(caller);
        const outcome =
          status === 200 ? (JSON.parse(text) as { result: { status: string } }).result.status : text;
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        await delay(PAUSE_MS);
      }
    };
    const replace = async () => {
      await restart(former, next);
      await restart(next, former);
      const moved = await mail.platform.callAs('admin', rekeyMailSecrets, {});
      await restart(next);
      return moved;
    };
    const replacing = replace().finally(() => {
      isOver = true;
    });
    const [rekeyed] = await Promise.all([replacing, ...members.map(use)]);

    process.stderr.write(
      `While the keys were replaced: ${JSON.stringify([...outcomes])}, ${JSON.stringify(rekeyed)}.\n`,
    );
    expect([...outcomes.keys()]).toEqual(['drafted']);
    expect(rekeyed).toMatchObject({ key: 'next', remaining: 0 });
    await expect(mail.spawn({ MAIL_SECRET_KEYS: former })).rejects.toThrow(
      'stored secrets need the key next',
    );
  }, 600_000);
});
