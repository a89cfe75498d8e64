import { expect, test } from '@jest/globals';
import { fillThreads } from '../test-support/fill-threads.ts';
import { TEXT, TOOL } from '../test-support/test-mcp-server.ts';
import { causeOf, testTools } from '../test-support/test-tools.ts';

const tools = testTools();
/** Makes a message so large that a thread reads it. */
const LARGE = 40_000;

test('a write whose answer cannot be read, as too many large ones wait, has an unknown outcome; a read none', async () => {
  const writing = await tools.define();
  const reading = await tools.define({ id: 'custom.a_read', effect: 'read' });
  const called = async (operation: typeof writing) => {
    let free = async () => {};
    tools.server.call = ({ id }, response) => {
      void fillThreads().then((filled) => {
        free = filled;
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(`{"jsonrpc":"2.0","id":${id},"result":${TEXT}}${' '.repeat(LARGE)}`);
      });
    };
    const answer = await tools.call(operation);
    await free();
    return answer;
  };
  const written = await called(writing);
  expect([written.status, written.code, causeOf(written)]).toEqual([
    502,
    'custom_endpoint_failed',
    'no_memory',
  ]);
  expect((await called(reading)).code).toBe('action_platform_unavailable');
});

test('a write that is sent once may leave again when the list of tools could not be read before it', async () => {
  tools.server.pages = [[{ ...TOOL, description: 'x'.repeat(LARGE) }]];
  const operation = await tools.define({ repeats: 'never' });
  // The tools of a changed connector are listed anew.
  await tools.connect({ headers: { 'x-changed': 'true' } });
  const free = await fillThreads();
  const refused = await tools.call(operation, {}, 'a key');
  await free();
  expect([refused.code, causeOf(refused)]).toEqual(['custom_endpoint_unavailable', 'no_memory']);
  expect(tools.server.calls).toEqual([]);
  expect((await tools.call(operation, {}, 'a key')).code).toBe('ok');
});
