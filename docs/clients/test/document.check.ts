import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Core, { type RulesetDefinition } from '@stoplight/spectral-core';
import Rulesets from '@stoplight/spectral-rulesets';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { freePort, type Platform, startPlatform } from './platform.ts';
import { requestsOf } from './requests.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform?.stop());

const get = (path: string) =>
  fetch(`${platform.baseUrl}${path}`, { headers: { Authorization: `Bearer ${platform.token}` } });

test("the OpenAPI document keeps Spectral's recommended rules", async () => {
  const spectral = new Core.Spectral();
  spectral.setRuleset({ extends: [[Rulesets.oas as RulesetDefinition, 'recommended']] });
  const problems = await spectral.run(await (await get('/api/v1/openapi.json')).text());
  assert.deepEqual(
    problems.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`),
    [],
  );
});

test("an Owner's whole list of tools is under 3,200 tokens (o200k_base)", async (context) => {
  const text = await (await get('/api/v1/operations?view=tools')).text();
  const tokens = countTokens(text);
  context.diagnostic(`${tokens} tokens, ${text.length} characters`);
  assert.ok(tokens < 3_200);
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

  const through = (method: string, path: string, body?: object) =>
    fetch(`${proxy}${path}`, {
      method,
      headers: { Authorization: `Bearer ${platform.token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

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
    await requestsOf(platform, async (operationId, method, path, body) => {
      const response = await through(method, path, body);
      const found = response.headers.get('sl-violations');
      if (found !== null) violations.push(`${operationId}, ${response.status}: ${found}`);
      asked.add(operationId);
      const text = await response.text();
      return response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text;
    });
    context.diagnostic(`${asked.size} operations`);
    assert.deepEqual(violations, []);
    assert.deepEqual([...asked].toSorted(), documented.toSorted());
  });
});
