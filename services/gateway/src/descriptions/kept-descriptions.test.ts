import { getRecord } from '@action-platform/contracts/operations';
import { expect, test } from '@jest/globals';
import { DescribedOperation } from './described-operation.ts';
import { KeptDescriptions } from './kept-descriptions.ts';

const KIB = 1024;
const described = new DescribedOperation(getRecord, () => getRecord);
const named = (workspaceId: string, n: number, revision = 1) => ({
  workspaceId,
  id: `custom.a_${n}`,
  revision,
});

test('one revision of an operation is kept', () => {
  const kept = new KeptDescriptions();
  for (const revision of [1, 2]) kept.set(named('ws_1', 1, revision), described, KIB);
  expect(kept.get(named('ws_1', 1, 1))).toBeUndefined();
  expect(kept.get(named('ws_1', 1, 2))).toBe(described);
});

test('many large operations of a Workspace displace none of another one, but many Workspaces do', () => {
  const kept = new KeptDescriptions();
  kept.set(named('ws_small', 1), described, KIB);
  const count = (workspaceId: string) =>
    Array.from({ length: 300 }, (_, n) => kept.get(named(workspaceId, n))).filter(Boolean).length;
  const fill = (workspaceId: string) => {
    for (let n = 0; n < 300; n++) kept.set(named(workspaceId, n), described, 45 * KIB);
  };
  fill('ws_large');
  expect(count('ws_large')).toBe(45);
  expect(kept.get(named('ws_small', 1))).toBe(described);
  for (let n = 0; n < 4; n++) fill(`ws_large_${n}`);
  expect(count('ws_large')).toBe(0);
});
