import { customOperationRoutes } from '@action-platform/contracts/resources';
import { expect, test } from '@jest/globals';
import { definitionsOfTools } from '../browser/pages/custom-operations/mcp-tools.js';

const listed = {
  name: 'createIssue',
  inputSchema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
  annotations: { destructiveHint: true },
  digest: '0'.repeat(64),
};

test('a tool is a definition that the server accepts; one with a problem, or with inputs that cannot be any, is none', () => {
  const [one, twice, odd] = definitionsOfTools(
    [
      listed,
      { ...listed, problem: 'Another tool has the same name.' },
      { ...listed, name: 'b', inputSchema: { required: ['a b'], properties: { 'a b': { type: 'string' } } } },
    ],
    'issues',
  );
  expect(one).toMatchObject({ id: 'custom.issues_create_issue', source: 'createIssue', losses: [] });
  const body = { id: one!.id, ...one!.definition };
  expect(customOperationRoutes.put.input.parse(body)).toMatchObject({
    ...{ effect: 'write', destructive: true },
    target: { connector: 'issues', tool: 'createIssue', digest: listed.digest },
  });
  expect(twice).toEqual({ ...one, definition: undefined, problem: 'Another tool has the same name.' });
  expect(odd!.definition).toBeUndefined();
  expect(odd!.problem).toContain('no named members');
});
