import { Caller } from '@action-platform/testing/http';
import { expect, test } from '@jest/globals';
import { setRules } from './approval-rules.ts';
import { demoFolder } from './demo-folder.ts';
import { APPROVAL, pasted, samplesOf } from './docs-samples.ts';
import { SharedStack } from './shared-stack.ts';

const stack = new SharedStack();

test('the quick start of docs/approvals.md works when pasted, with the clicks of a person', async () => {
  const demo = await stack.workspace();
  const FRESH = await stack.operator.freshToken(demo.workspace_id, demo.owner.user_id);
  const rule = { operations: ['record_store.archive_record'], callers: 'grants' };
  await setRules(new Caller(demo.base_url, FRESH), [rule]);
  const [setup, held, goesOn] = samplesOf('docs/approvals.md', 'sh');
  const [, refused, , answered] = pasted([setup!, held!, APPROVAL, goesOn!], demoFolder(demo), { FRESH });
  expect(refused).toMatch(/"code":"operation_approval_required".*\/console\/approvals\/apv_/);
  expect(answered).toMatch(/"state":"archived".*\n.*"code":"operation_approval_required"/);
});
