import { expect, test } from '@jest/globals';
import { demoFolder } from './demo-folder.ts';
import { pasted, samplesOf } from './docs-samples.ts';
import { SharedStack } from './shared-stack.ts';

const stack = new SharedStack();

/** The output of a page's curl commands, pasted after the commands that set the address and the token. */
async function printed(page: string, change = (block: string) => block): Promise<string[]> {
  const curls = samplesOf(page, 'sh').filter((block) => block.startsWith('curl'));
  const directory = demoFolder(await stack.workspace());
  return pasted(['. docs/demo.sh', ...curls.map(change)], directory).slice(1);
}

test('the commands of docs/audit.md find, export and count calls', async () => {
  const [found, exported, counted] = await printed('docs/audit.md', (block) =>
    block.replace('> audit.csv', ''),
  );
  expect(JSON.parse(found!).result).toEqual({ entries: [], next_cursor: null });
  expect(exported).toMatch(/^at,request_id,/);
  expect(JSON.parse(counted!).result.buckets).toHaveLength(31);
});

test('the commands of docs/members.md add a Member and remove them', async () => {
  const [added, removed] = await printed('docs/members.md');
  expect(JSON.parse(added!).member).toMatchObject({ userId: 'somebody', role: 'member', state: 'active' });
  expect(JSON.parse(removed!)).toMatchObject({ member: { state: 'removed' }, stoppedGrants: 0 });
});

test('the commands of docs/connectors.md register an API, an operation of it, and an MCP server', async () => {
  const demo = await stack.workspace();
  const FRESH = await stack.operator.freshToken(demo.workspace_id, demo.owner.user_id);
  const blocks = samplesOf('docs/connectors.md', 'sh').filter((block) => block.startsWith('. docs/demo.sh'));
  // Without the connections to these servers.
  const registering = blocks.map((block) =>
    block
      .replace(/^read -rs (\w+).*$/m, '$1=secret')
      .replace('$(fresh)', '$FRESH')
      .replace(/^curl .*(check|tools)".*$/m, ''),
  );
  const [api, server] = pasted(registering, demoFolder(demo), { FRESH });
  expect(api).toMatch(/"name":"github".*"id":"custom\.open_issue"/s);
  expect(server).toMatch(/"name":"issues".*"kind":"mcp"/);
});

test('the commands of docs/mailboxes.md send the password that was typed, in the body', async () => {
  const typed = samplesOf('docs/mailboxes.md', 'sh').filter((block) => block.startsWith('read -rs'));
  const blocks = typed.map((block) =>
    block.replace(/^read -rs (\w+)$/m, '$1=secret').replace('imap.example.com', '127.0.0.1'),
  );
  const [, ...answers] = pasted(['. docs/demo.sh', ...blocks], demoFolder(await stack.workspace()));
  // The body is whole: the platform refuses the server, on which nothing listens.
  expect(answers.map((answer) => JSON.parse(answer).error.message)).toEqual([
    expect.stringMatching(/^host: /),
    expect.stringMatching(/^host: /),
  ]);
});

test('the command of docs/files.md asks for a file by its key', async () => {
  const [refused] = await printed('docs/files.md');
  expect(JSON.parse(refused!).error.code).toBe('knowledge_file_not_found');
});

test('the commands of docs/grants.md make a grant, call with it, revoke it and list it', async () => {
  const directory = demoFolder(await stack.workspace());
  const [, used, listed] = pasted(samplesOf('docs/grants.md', 'sh'), directory);
  expect(used).toMatch(/^\[ 'record_store.get_record', 'record_store.push_record' \]\n/);
  expect(used).toMatch(/"version":1,.*"bolt":1\.00.*"status":"revoked"/s);
  expect(listed).toMatch(/name: 'import of prices'.*status: 'revoked'/s);
});
