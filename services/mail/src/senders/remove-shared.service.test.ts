import { inBackground } from '@action-platform/contracts/calls';
import { openStored } from '@action-platform/mongo';
import { DestinationCheck } from '@action-platform/outbound-http';
import { readSecretKeys } from '@action-platform/sealing';
import { beforeAll, expect, test } from '@jest/globals';
import { Accounts } from '../accounts/accounts.ts';
import { storedAccounts } from '../accounts/stored-account.ts';
import { mailInTests, newSecretKey } from '../test-support/test-mail.ts';
import { removeShared } from './remove-shared.ts';
import { SharedMailboxes, unusable } from './shared-mailboxes.ts';
import { storedSharedMailboxes } from './stored-mailbox.ts';

const mail = mailInTests();
let accounts: Accounts;
/** Steps of other calls, which come in the middle of a removal. */
let afterGet = async () => {};
let afterFind = async () => {};
let beforeRemove = async () => {};

class Interrupted extends SharedMailboxes {
  override async get(...call: Parameters<SharedMailboxes['get']>) {
    const found = await super.get(...call);
    await afterGet();
    return found;
  }

  override async find(...call: Parameters<SharedMailboxes['find']>) {
    const found = await super.find(...call);
    await afterFind();
    return found;
  }

  override async remove(...call: Parameters<SharedMailboxes['remove']>) {
    await beforeRemove();
    return await super.remove(...call);
  }
}

let shared: SharedMailboxes;
beforeAll(async () => {
  const { db } = await mail.platform.database('mail');
  const keys = readSecretKeys('MAIL_SECRET_KEYS', newSecretKey('k1'));
  accounts = new Accounts(openStored(db, storedAccounts), keys, new DestinationCheck([]));
  shared = new Interrupted(openStored(db, storedSharedMailboxes), 50 as never);
});

const accountsOf = (workspaceId: string) =>
  accounts.versions({ workspace_id: workspaceId, shared: 'team@example.com' }, inBackground);

test('a removal leaves the account of a mailbox that is shared again under the address meanwhile', async () => {
  const workspace = mail.newWorkspace();
  const id = await mail.share(workspace);
  afterFind = async () => {
    afterFind = async () => {};
    await mail.share(workspace);
  };
  await removeShared({ shared, accounts }, workspace, id, inBackground);
  expect(await accountsOf(workspace)).toHaveLength(1);
  const [again] = await shared.list(workspace, inBackground);
  expect(again!._id).not.toBe(id);
  await removeShared({ shared, accounts }, workspace, again!._id, inBackground);
  expect(await accountsOf(workspace)).toEqual([]);
});

test('a removal deletes the secret that another call gives the mailbox meanwhile', async () => {
  const workspace = mail.newWorkspace();
  const id = await mail.share(workspace);
  const [former] = await accountsOf(workspace);
  beforeRemove = async () => {
    beforeRemove = async () => {};
    await mail.share(workspace, { display_name: 'Renamed' });
    expect((await accountsOf(workspace))[0]!.secretId).not.toBe(former!.secretId);
  };
  await removeShared({ shared, accounts }, workspace, id, inBackground);
  expect(await shared.list(workspace, inBackground)).toEqual([]);
  expect(await accountsOf(workspace)).toEqual([]);
});

test('a removal of a mailbox that nobody may use leaves one that an Owner has opened meanwhile', async () => {
  const workspace = mail.newWorkspace();
  const id = await mail.share(workspace);
  const origin = { user_id: 'owner', request_id: 'req_1' } as never;
  const change = (members: string[] | null) =>
    shared.change(workspace, id, { members, everyone: members === null }, { ...inBackground, origin });
  await change([]);
  afterGet = async () => {
    afterGet = async () => {};
    await change(null);
  };
  const remove = () => removeShared({ shared, accounts }, workspace, id, inBackground, unusable);
  expect(await remove()).toBeNull();
  expect(await accountsOf(workspace)).toHaveLength(1);
  await change([]);
  expect(await remove()).toMatchObject({ _id: id });
  expect(await accountsOf(workspace)).toEqual([]);
});
