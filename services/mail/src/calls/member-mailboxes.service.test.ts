import { keepMailbox } from '@action-platform/contracts/calls';
import { appConnectionRoutes } from '@action-platform/contracts/resources';
import { aMember } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestMail } from '../test-support/test-mail.ts';

const mail = new TestMail();
beforeAll(async () => {
  await mail.platform.startBeside('grants');
  await mail.start();
});
afterAll(() => mail.stop());

const { connect, disconnect } = appConnectionRoutes;
const mailbox = {
  ...{ app: 'mail_suite', email: 'ada@example.com', provider: 'imap' },
  ...{ host: 'imap.example.com', secret: mail.system.password },
};

test('a mailbox that is connected again stays when a call about its end, or about another one, arrives late', async () => {
  const ada = await mail.newUser();
  const accounts = (await mail.platform.database('mail')).db.collection('accounts');
  const stored = () =>
    accounts.find({ workspace_id: ada.workspaceId }).project({ _id: 0, expires_at: 1 }).toArray();
  const first = (await mail.as(ada, connect, mailbox)).connection;
  await mail.as(ada, disconnect, { id: first.id });
  expect(await stored()).toEqual([]);
  const { connection } = await mail.as(ada, connect, mailbox);
  const { changed_at: changedAt } = (await accounts.findOne({ workspace_id: ada.workspaceId }))!;
  expect(changedAt).toBeGreaterThan(0);
  const late = { ...ada, changedAt };
  await mail.platform.callAs('grants', keepMailbox, late);
  await mail.platform.callAs('grants', keepMailbox, { ...late, connectionId: 'con_other' });
  expect(await stored()).toEqual([{}]);
  const principal = aMember({ ...ada, connections: { mail_suite: connection.id } });
  expect((await mail.send(principal)).result.status).toBe('drafted');
  await mail.as(ada, disconnect, { id: connection.id });
  expect(await stored()).toEqual([]);
});
