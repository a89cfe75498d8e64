import { createServer } from 'node:http';
import { buffer, json } from 'node:stream/consumers';
import { pushRecord } from '@action-platform/contracts/operations';
import { approvalRoutes } from '@action-platform/contracts/resources';
import { listen } from '@action-platform/testing';
import { Caller } from '@action-platform/testing/http';
import { expect, test } from '@jest/globals';
import { decide, setRules } from './approval-rules.ts';
import { RunningSamples } from './running-samples.ts';
import { SharedStack } from './shared-stack.ts';

const stack = new SharedStack();
const samples = new RunningSamples();

/** The messages that a model gets: its instructions, its own calls, and their outputs. */
interface Turn {
  readonly model: string;
  readonly tools: readonly { readonly name: string }[];
  readonly input: readonly { readonly output?: string }[];
}

/** A proxy of a gateway that loses the first answer to each operation which pushes Records. */
function losingProxy(gateway: string) {
  const lost = new Set<string>();
  return createServer(async (request, response) => {
    const { method, headers, url = '' } = request;
    const body = method === 'POST' ? await buffer(request) : undefined;
    const { authorization = '', 'content-type': type = '' } = headers;
    const sent = { method, headers: { authorization, 'content-type': type }, body };
    const answer = await fetch(`${gateway}${url}`, sent as RequestInit);
    const text = await answer.text();
    if (answer.ok && url.includes('push') && lost.size < lost.add(url).size) {
      return void response.writeHead(502).end('<html>Bad Gateway</html>');
    }
    response.writeHead(answer.status).end(text);
  });
}

test('the loop of docs/agents.md runs the calls of a model, repeats after 502, 503 and an approval with one effect, and hands back results and errors', async () => {
  const { base_url: gateway, workspace_id, owner } = await stack.workspace();
  const approver = new Caller(gateway, await stack.operator.freshToken(workspace_id, owner.user_id));
  const turns: Turn[] = [];
  const call = (name: string, args: object) => ({
    ...{ type: 'function_call', call_id: `call_${turns.length}`, name, arguments: JSON.stringify(args) },
  });
  const outputs = () =>
    turns
      .at(-1)!
      .input.filter(({ output }) => output !== undefined)
      .map(({ output }) => JSON.parse(output!));
  const collection_id = () => outputs()[0].result.collection.id;
  const pushHeld = () =>
    call('record_store__push_record', { collection_id: collection_id(), payload: { c: 1 } });
  /** The answers of the model, in turn. */
  const answers = [
    () => call('record_store__create_collection', { name: 'by an agent' }),
    () => call('record_store__push_record', { collection_id: 'col_guessed', payload: {} }),
    () => call('record_store__push_record', { collection_id: collection_id(), payload: { a: 1 } }),
    () =>
      call('record_store__push_records', { collection_id: collection_id(), items: [{ payload: { b: 1 } }] }),
    () => call('record_store__list_records', { collection_id: collection_id() }),
    async () => {
      await setRules(approver, [{ operations: [pushRecord.id] }]);
      return pushHeld();
    },
    async () => {
      const { approvals } = await approver.request('GET', approvalRoutes.list.path);
      await decide(approver, approvals[0].id, 'approve');
      return pushHeld();
    },
    () => ({ type: 'message', content: [{ type: 'output_text', text: 'Done.' }] }),
  ];
  let refusals = 1;
  const model = createServer(async (request, response) => {
    if (refusals-- > 0) return void response.writeHead(503, { 'retry-after': '0' }).end('busy');
    turns.push((await json(request)) as Turn);
    response.end(JSON.stringify({ output: [await answers[turns.length - 1]!()] }));
  });
  const proxy = losingProxy(gateway);
  const env = { TOKEN: owner.token, MODEL: 'm', MODEL_KEY: 'k' };
  const MODEL_URL = `http://127.0.0.1:${await listen(model)}`;
  const BASE_URL = `http://127.0.0.1:${await listen(proxy)}`;
  const [child, output] = samples.start('docs/agents.md', 'js', { ...env, MODEL_URL, BASE_URL });
  await new Promise((resolve) => child.once('close', resolve));
  for (const server of [model, proxy]) server.close();
  expect(output()).toBe('Done.\n');
  expect(turns[0]!.tools.map(({ name }) => name)).toContain('record_store__push_record');
  expect(outputs()).toMatchObject([
    { result: { collection: { name: 'by an agent' } } },
    { error: { code: 'record_store_collection_not_found', next: expect.any(String) } },
    { result: { record: { payload: { a: 1 } } } },
    { result: { outcomes: [{ replayed: true }] } },
    { result: { records: [{ payload: { a: 1 } }, { payload: { b: 1 } }] } },
    { error: { code: 'operation_approval_required' } },
    { result: { record: { payload: { c: 1 } } } },
  ]);
});
