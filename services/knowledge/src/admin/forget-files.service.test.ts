import { addFile, forgetFiles, newId, statusSurvey } from '@action-platform/contracts';
import { aMember } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestKnowledge } from '../test-support/test-knowledge.ts';
import { until } from '../test-support/until.ts';

const service = new TestKnowledge();
beforeAll(() => service.start());
afterAll(() => service.stop());

const forget = () => service.platform.callAs('admin', forgetFiles, {});

async function missing(): Promise<readonly string[]> {
  const bus = await service.platform.connect('admin');
  const [status] = await bus.survey(statusSurvey, {
    timeoutMs: 5_000,
    isComplete: ({ length }) => length > 0,
  });
  return status!.missing;
}

test('an operator sees that a listing is kept, and confirms that its folder was emptied on purpose', async () => {
  const member = aMember({ workspaceId: newId('workspace') });
  await service.write(`${member.workspaceId}/company/a.md`);
  await service.once(member, 'a.md');
  const { file } = await service.platform.callAs('admin', addFile, {
    workspace: member.workspaceId,
    path: 'added.md',
  });
  await expect(forget()).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await missing()).toEqual([]);

  await service.move(member.workspaceId, '../aside');
  await until(missing, (names) => names.includes('files of FILES_DIR'));
  expect(await service.paths(member)).toEqual(['a.md', 'added.md']);

  await forget();
  expect(await service.list(member)).toEqual([file]);
  await until(missing, (names) => names.length === 0);
});
