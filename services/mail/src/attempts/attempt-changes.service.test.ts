import { EventReader } from '@action-platform/testing';
import { beforeAll, expect, test } from '@jest/globals';
import { mailInTests } from '../test-support/test-mail.ts';

const mail = mailInTests({ replicas: 2 });
let reader: EventReader;
beforeAll(async () => {
  reader = await EventReader.open(mail.platform);
});

test('drafted, failed and denied e-mails are events without subject and addresses', async () => {
  const member = await mail.member();
  const sender_id = await mail.ownSender(member);
  await mail.send(member, { idempotency_key: 'a' });
  await mail.send(member, { idempotency_key: 'a' });
  mail.system.faults.push('is refused');
  await mail.send(member, { idempotency_key: 'b' });
  await mail.send(member, { sender_id: 'ada@example.com' });
  await reader.until(member.workspaceId, 3);
  const events = await reader.read(member.workspaceId);
  expect(events.map(({ type, data }) => `${type} ${data.user_id} ${data.sender_id}`)).toEqual([
    `mail.drafted ${member.userId} ${sender_id}`,
    `mail.failed ${member.userId} ${sender_id}`,
    `mail.denied ${member.userId} undefined`,
  ]);
  for (const { subject, data } of events) {
    expect(data).toMatchObject({ attempt_id: subject, actor: { user_id: member.userId } });
    expect(data.request_id).toEqual(expect.any(String));
  }
  // The history names the same attempts, and the requests that settled them.
  const named = events.map(({ subject, data }) => [subject, data.request_id]);
  const entries = await mail.history(member);
  expect(entries.toReversed().map(({ view }) => [view.attempt_id, view.request_id])).toEqual(named);
  expect(JSON.stringify(events)).not.toMatch(/Hello|example\.com/);
});
