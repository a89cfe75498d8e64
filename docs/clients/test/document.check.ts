import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '@action-platform/local-servers';
import Core, { type RulesetDefinition } from '@stoplight/spectral-core';
import Rulesets from '@stoplight/spectral-rulesets';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { runJavaScript, Samples } from '../../../e2e/src/samples.ts';
import { Platform } from './platform.ts';

const platform = new Platform();

const get = (path: string) => platform.fetch('GET', path);

test("the OpenAPI document keeps Spectral's recommended rules", async () => {
  const spectral = new Core.Spectral();
  spectral.setRuleset({ extends: [[Rulesets.oas as RulesetDefinition, 'recommended']] });
  const problems = await spectral.run(await (await get('/api/v1/openapi.json')).text());
  assert.deepEqual(
    problems.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`),
    [],
  );
});

test("an Owner's whole list of tools has at most 4,000 tokens (o200k_base)", async (context) => {
  const text = await (await get('/api/v1/operations?view=tools')).text();
  const tokens = countTokens(text);
  context.diagnostic(`${tokens} tokens, ${text.length} characters`);
  assert.ok(tokens <= 4_000);
});

describe('Prism, between a client and the platform,', () => {
  let prism: ChildProcess;
  let proxy: string;
  before(async () => {
    const port = String(await freePort());
    const cli = fileURLToPath(import.meta.resolve('@stoplight/prism-cli/dist/index.js'));
    const args = ['proxy', `${platform.baseUrl}/api/v1/openapi.json`, platform.baseUrl, '--port', port];
    prism = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    proxy = `http://127.0.0.1:${port}`;
    const listening = Promise.withResolvers<void>();
    prism.once('close', () => listening.reject(new Error('Prism ended')));
    prism.stdout!.on('data', (chunk) => {
      if (String(chunk).includes('Prism is listening')) listening.resolve();
    });
    await listening.promise;
  });
  after(async () => {
    prism.kill();
    await once(prism, 'close');
  });

  const through = (method: string, path: string, body?: object) => platform.fetch(method, path, body, proxy);

  test('reports a deviation from the document', async () => {
    const { headers } = await through('POST', '/api/v1/operations/record_store.get_record', { record_id: 1 });
    assert.match(headers.get('sl-violations') ?? '', /collection_id/);
  });

  test('finds every request and every answer of an operation as documented', async (context) => {
    const document = (await (await get('/api/v1/openapi.json')).json()) as { paths: Record<string, object> };
    const documented = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }: { operationId: string }) => operationId),
    );
    const violations: string[] = [];
    const asked = new Set<string>();
    const judge = (operationId: string, { status, headers }: Response) => {
      const found = headers.get('sl-violations');
      if (found !== null) violations.push(`${operationId}, ${status}: ${found}`);
      asked.add(operationId);
    };
    const samples = await Samples.of(platform.baseUrl, 'JavaScript');
    const run = async (operationId: string, source: string) =>
      await runJavaScript(source, { BASE_URL: proxy, TOKEN: platform.token }, async (...request) => {
        const response = await fetch(...request);
        judge(operationId, response);
        return response;
      });
    const refused = new Map(samples.succeeding.map((id) => [id, samples.sourceOf(id)]));
    for (const id of samples.succeeding) samples.compare(id, await run(id, samples.sourceOf(id)));
    // The Workspace has none of the objects that the examples name, or has them already.
    for (const [id, source] of refused) await run(id, source);
    for (const id of samples.refused) await run(id, samples.sourceOf(id));
    const send = async (operationId: string, method: string, path: string, body?: object): Promise<any> => {
      const response = await through(method, `/api/v1/${path}`, body);
      judge(operationId, response);
      return await response.json();
    };
    // The stream itself has no end.
    await send('followEvents', 'GET', 'events?cursor=forged');
    // The samples of mailboxes name servers; the local mail system is on every platform.
    const { connections } = await send('listAppConnections', 'GET', 'app-connections');
    await send('deleteAppConnection', 'DELETE', `app-connections/${connections[0].id}`);
    const { sender } = await send('createSender', 'POST', 'senders', {
      ...{ email: 'team@example.com', displayName: 'Team', provider: 'local' },
      ...{ everyone: true, interactive: true, scheduled: true },
    });
    await send('changeSender', 'PATCH', `senders/${sender.senderId}`, { displayName: 'The team' });
    await send('deleteSender', 'DELETE', `senders/${sender.senderId}`);
    context.diagnostic(`${asked.size} operations`);
    assert.deepEqual(violations, []);
    assert.deepEqual([...asked].toSorted(), documented.toSorted());
  });
});
