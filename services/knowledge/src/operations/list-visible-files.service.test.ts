import { listVisibleFiles, type Principal } from '@action-platform/contracts';
import { aMember, anOwner, scheduled } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Files } from '../files/files.ts';
import { openFiles } from '../files/stored-file.ts';
import { TestKnowledge } from '../test-support/test-knowledge.ts';

const service = new TestKnowledge();
beforeAll(() => service.start());
afterAll(() => service.stop());

async function list(caller: Principal, input: object) {
  return (await service.platform.call(listVisibleFiles, caller, input)).result.groups;
}

describe('knowledge.list_visible_files', () => {
  test('lists both groups, company first, also when they are empty', async () => {
    const none = [
      { label: 'Company Files', files: [] },
      { label: 'Personal Files', files: [] },
    ];
    expect(await list(aMember(), {})).toEqual(none);
    expect(await list(anOwner(), { scope: 'all' })).toEqual(none);
  });

  test('lists the group of the scope alone', async () => {
    const caller = aMember();
    const company = await service.add(caller.workspaceId, 'handbook.md');
    const personal = await service.add(caller.workspaceId, 'notes.md', caller.userId);
    const groups = [
      { label: 'Company Files', files: [company] },
      { label: 'Personal Files', files: [personal] },
    ];
    expect(await list(caller, { scope: 'company' })).toEqual([groups[0]]);
    expect(await list(caller, { scope: 'personal' })).toEqual([groups[1]]);
    expect(await list(caller, { scope: 'all' })).toEqual(groups);
  });

  test('shows company files to every Member, and personal files to their own Member alone', async () => {
    const owner = anOwner();
    const [ada, ben] = ['ada', 'ben'].map((userId) => aMember({ workspaceId: owner.workspaceId, userId }));
    await service.add(owner.workspaceId, 'handbook.md');
    await service.add(owner.workspaceId, 'plan.md', 'ada');
    for (const caller of [owner, ada!, ben!]) {
      expect(await service.paths(caller, 'company')).toEqual(['handbook.md']);
      expect(await service.paths(caller, 'personal')).toEqual(caller === ada ? ['plan.md'] : []);
    }
  });

  test('shows no files of another Workspace, even of the same user', async () => {
    const caller = aMember();
    await service.add(caller.workspaceId, 'handbook.md');
    await service.add(caller.workspaceId, 'plan.md', caller.userId);
    const elsewhere = aMember({ userId: caller.userId });
    expect((await list(elsewhere, {})).flatMap(({ files }) => files)).toEqual([]);
  });

  test('returns only the groups in the grant of a job, with scope `all` and by default, and refuses another one', async () => {
    const member = aMember();
    const company = await service.add(member.workspaceId, 'handbook.md');
    const personal = await service.add(member.workspaceId, 'notes.md', member.userId);
    const groups = [
      { label: 'Company Files', files: [company] },
      { label: 'Personal Files', files: [personal] },
    ];
    const seen = async (fileScopes: ('company' | 'personal')[], input: object) =>
      await list(scheduled(member, { data: { fileScopes } }), input);
    for (const input of [{}, { scope: 'all' }]) {
      expect(await seen(['company'], input)).toEqual([groups[0]]);
      expect(await seen(['personal'], input)).toEqual([groups[1]]);
      expect(await seen(['personal', 'company'], input)).toEqual(groups);
      expect(await seen([], input)).toEqual([]);
    }
    const job = scheduled(member, { data: { fileScopes: ['company'] } });
    const { error } = await service.platform.call(listVisibleFiles, job, { scope: 'personal' });
    expect(error.code).toBe('grant_data_scope_exceeded');
  });

  test('reads the files from the database while the caller receives them', async () => {
    const caller = aMember();
    const { workspaceId } = caller;
    const { db } = await service.platform.database('knowledge');
    const paths = Array.from({ length: 6_000 }, (_, index) => `a/${String(index).padStart(100, '0')}`);
    await new Files(await openFiles(db)).put('added', { workspaceId, owner: null }, paths);
    const answer = await service.platform.begin(listVisibleFiles, caller, { scope: 'company' });
    const late = await service.add(workspaceId, 'b');
    const chunks = [answer.body, ...(await Array.fromAsync(answer.more!))];
    const { result } = JSON.parse(Buffer.concat(chunks).toString());
    expect(result.groups[0].files).toHaveLength(6_001);
    expect(result.groups[0].files.at(-1)).toEqual(late);
  });

  test.each([[{ scope: 'everything' }], [{ path: 'a' }]])('refuses %j', async (input) => {
    const { status, error } = await service.platform.call(listVisibleFiles, aMember(), input);
    expect([status, error.code]).toEqual([400, 'invalid_request']);
  });
});
