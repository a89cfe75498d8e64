import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Demo } from '@action-platform/local';
import { freePort } from '@action-platform/local-servers';
import { listen } from '@action-platform/testing';
import { Caller, execute, send } from '@action-platform/testing/http';
import { describe, expect, test } from '@jest/globals';
import { hasPython } from './docs-samples.ts';
import { RunningSamples } from './running-samples.ts';
import { SharedStack } from './shared-stack.ts';

const stack = new SharedStack();

const ID = 'custom.refund_order';
const PAGE = 'docs/custom-operations.md';
const page = readFileSync(PAGE, 'utf8');
const definition = JSON.parse(/-d '(\{\n {5}"title".*?)'\n/s.exec(page)![1]!) as object;

const python = hasPython('the receiver', 'import jwt, cryptography');

/** Registers the operation of the page at a port of this machine, and returns a call of it. */
async function registered({ base_url, owner }: Demo, port: number) {
  const at = { ...definition, url: `http://127.0.0.1:${port}/refund` };
  await new Caller(base_url, owner.token).request('PUT', `/api/v1/custom-operations/${ID}`, at);
  return async (order_id: string, key: string = randomUUID()) => {
    const keyed = { 'Idempotency-Key': key };
    const { json, headers } = await execute(base_url, owner.token, ID, { order_id }, keyed);
    const { result, error } = json as { result?: object; error?: { code: string } };
    return { result, code: error?.code, isReplay: headers['idempotent-replayed'] === 'true' };
  };
}

const samples = new RunningSamples();

/** Starts the receiver of the page for a Workspace. */
async function receive(language: string, { base_url, workspace_id }: Demo, port: number): Promise<void> {
  const env = {
    PLATFORM: base_url,
    WORKSPACE: workspace_id,
    ORIGIN: `http://127.0.0.1:${port}`,
    PORT: String(port),
  };
  const [child, output] = samples.start(PAGE, language, env);
  const knock = () => send(`http://127.0.0.1:${port}`, { method: 'GET', path: '/' });
  while (!(await knock().catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(output());
    await delay(50);
  }
}

describe.each(['js', 'python'])('the receiver of docs/custom-operations.md in %s', (language) => {
  const withPython = language === 'python' && !python ? test.skip : test;

  withPython('does the work of a key once, and refuses by a declared code', async () => {
    const [demo, port] = [await stack.workspace(), await freePort()];
    await receive(language, demo, port);
    const refund = await registered(demo, port);
    const done = { result: { refund_id: 'refund of 2026-0815' }, code: undefined };
    expect(await refund('2026-0815', 'k')).toEqual({ ...done, isReplay: false });
    expect(await refund('2026-0815', 'k')).toEqual({ ...done, isReplay: true });
    for (const isReplay of [false, true])
      expect(await refund('unknown', 'x')).toMatchObject({ code: 'custom_order_not_found', isReplay });
  });

  withPython('refuses a token for another Workspace, another origin or another body', async () => {
    const [demo, other] = [await stack.workspace(), await stack.workspace()];
    const port = await freePort();
    const captured: IncomingHttpHeaders[] = [];
    const capture = createServer((request, response) => {
      captured.push(request.headers);
      response.writeHead(500).end();
    });
    // A token for the origin that the receiver will have, and one for another.
    await new Promise<void>((resolve) => capture.listen(port, '127.0.0.1', resolve));
    await (await registered(demo, port))('1');
    await new Promise((resolve) => capture.close(resolve));
    const elsewhere = await listen(capture);
    await (await registered(demo, elsewhere))('1');
    capture.close();

    await receive(language, demo, port);
    const post = async ({ authorization }: IncomingHttpHeaders, body: object) => {
      const headers = { authorization: authorization!, 'idempotency-key': 'cex_1' };
      return await send(`http://127.0.0.1:${port}`, {
        ...{ method: 'POST', path: '/', body },
        headers: { ...headers, 'content-length': String(JSON.stringify(body).length) },
      });
    };
    const [own, foreign] = captured as [IncomingHttpHeaders, IncomingHttpHeaders];
    expect((await post(own, { order_id: '1' })).status).toBe(200);
    expect((await post(own, { order_id: '2' })).status).toBe(503);
    expect((await post(foreign, { order_id: '1' })).status).toBe(503);
    expect((await post({ authorization: 'Bearer x' }, { order_id: '1' })).status).toBe(503);
    const refund = await registered(other, port);
    expect((await refund('1')).code).toBe('custom_endpoint_failed');
  });
});
