import { describe, expect, test } from '@jest/globals';
import { GraphMailboxes } from '../../test-support/graph/graph-mailboxes.ts';
import { largestMessage } from '../../test-support/largest-message.ts';
import type { Draft } from '../provider.ts';

const mailboxes = new GraphMailboxes();
const create = mailboxes.create.bind(mailboxes);
const find = mailboxes.find.bind(mailboxes);

/** Keeps one draft after the creation of this one, as after an unclear attempt. */
const keepOne = (created: Draft, marker: string) =>
  mailboxes.provider.keepOne!(mailboxes.account, created, marker, AbortSignal.timeout(40_000));

describe('a draft', () => {
  test('has the same id and URL from its creation and a search, and ids of both requests', async () => {
    const { graph } = mailboxes;
    const message = mailboxes.newMessage();
    const created = await create(message);
    const asRecipients = (addresses: readonly string[]) =>
      addresses.map((address) => ({ emailAddress: { address } }));
    expect(mailboxes.messages[0]!.message).toMatchObject({
      subject: message.subject,
      from: { emailAddress: message.from },
      toRecipients: asRecipients(message.to),
      ccRecipients: asRecipients(message.cc),
      body: { contentType: 'text', content: message.body },
    });
    const found = await find(message);
    expect(found).toMatchObject({ draftId: created.draftId, draftUrl: created.draftUrl });
    expect(created.draftUrl).toMatch(/^https:\/\/outlook\.office365\.com\/owa\/\?ItemID=/);
    expect(created.correlation).toMatchObject({
      http_status: 201,
      graph_client_request_id: expect.any(String),
    });
    expect(found!.correlation).toMatchObject({ http_status: 200 });
    expect(created.correlation!.graph_request_id).not.toBe(found!.correlation!.graph_request_id);
    expect(graph.requestIds).toContain(created.correlation!.graph_client_request_id);
    expect(new Set(graph.requestIds).size).toBe(graph.requestIds.length);
  });

  test('is found after a person moved, sent or deleted it, with the same id', async () => {
    const message = mailboxes.newMessage();
    const { draftId } = await create(message);
    for (const folder of ['sentitems', 'deleteditems'] as const) {
      mailboxes.graph.mailbox(mailboxes.account.email).move(mailboxes.messages[0]!, folder);
      expect((await find(message))!.draftId).toBe(draftId);
    }
  });

  test('may be the largest', async () => {
    const created = await create(largestMessage);
    expect(await find(largestMessage)).toMatchObject({ draftId: created.draftId });
  });

  test('in an address with characters of a URL is found', async () => {
    mailboxes.account = mailboxes.newAccount({ email: "o'hara/../a?b#c%20@example.com" });
    const message = mailboxes.newMessage();
    const { draftId } = await create(message);
    expect((await find(message))!.draftId).toBe(draftId);
  });
});

describe('of several drafts with one marker', () => {
  /** Creates drafts with one marker, each a day after the one before. */
  async function createEach(count: number) {
    const message = mailboxes.newMessage();
    const drafts: Draft[] = [];
    for (let day = 1; day <= count; day++) {
      drafts.push(await create(message));
      const time = `2026-01-0${day}T00:00:00Z`;
      Object.assign(mailboxes.messages.at(-1)!.message, {
        createdDateTime: time,
        lastModifiedDateTime: time,
      });
    }
    return { message, drafts: drafts as [Draft, Draft] };
  }

  test('a search finds the oldest, on whatever page it is', async () => {
    mailboxes.graph.pageSize = 1;
    const { message, drafts } = await createEach(3);
    mailboxes.messages.reverse();
    expect((await find(message))!.draftId).toBe(drafts[0].draftId);
  });

  test.each([true, false])('only the oldest is kept (permanentDelete: %s)', async (isGlobalCloud) => {
    mailboxes.graph.isGlobalCloud = isGlobalCloud;
    const { message, drafts } = await createEach(2);
    const [{ draftId }, second] = drafts;
    expect((await keepOne(second, message.marker)).draftId).toBe(draftId);
    const kept = mailboxes.messages.filter(({ folder }) => folder === 'drafts');
    expect(kept.map(({ immutableId }) => immutableId)).toEqual([draftId]);
    expect((await find(message))!.draftId).toBe(draftId);
  });

  test('the one that this attempt created is removed although the filter hides it', async () => {
    const message = mailboxes.newMessage();
    const first = await create(message);
    mailboxes.graph.lagMs = 60_000;
    const second = await create(message);
    expect((await keepOne(second, message.marker)).draftId).toBe(first.draftId);
    expect(mailboxes.messages).toHaveLength(1);
  });

  test('one whose removal is refused is not passed over, and a search removes it', async () => {
    const { message, drafts } = await createEach(2);
    const refused = { refuse: 403, code: 'ErrorAccessDenied' };
    mailboxes.graph.faults.plan('remove', refused, refused);
    await expect(keepOne(drafts[1], message.marker)).rejects.toThrow('403');
    expect((await find(message))!.draftId).toBe(drafts[0].draftId);
    expect(mailboxes.messages).toHaveLength(1);
  });

  test('one that a person has changed stays', async () => {
    const { message } = await createEach(2);
    mailboxes.messages[1]!.message.lastModifiedDateTime = '2026-01-02T00:01:00Z';
    await find(message);
    expect(mailboxes.messages).toHaveLength(2);
  });

  test('a single one stays as it was created', async () => {
    for (const lagMs of [0, 60_000]) {
      mailboxes.graph.lagMs = lagMs;
      const message = mailboxes.newMessage();
      const created = await create(message);
      expect(await keepOne(created, message.marker)).toEqual(created);
    }
    expect(mailboxes.messages).toHaveLength(2);
  });
});
