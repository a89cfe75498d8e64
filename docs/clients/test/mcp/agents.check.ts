import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { freePort } from '@action-platform/local-servers';
import { listen } from '@action-platform/testing';
import { AgentsClient } from './agents-client.ts';
import { AgentsPlatform, READS } from './agents-platform.ts';
import { connectByBridge } from './bridge.ts';
import { checksIn, conformance } from './conformance-program.ts';
import type { Connection } from './connections.ts';
import { oauthPeers } from './oauth-peers.ts';
import { eras, redirectUrl, signIn } from './sign-in-client.ts';

const platform = new AgentsPlatform();
const TOOLS = READS.map((id) => id.replace('.', '__'));
const folder = mkdtempSync(join(tmpdir(), 'agents-'));

/** The document of a program, at the address that is its client_id. */
let client_id = '';
const documents = createServer((_request, response) =>
  response.end(JSON.stringify({ client_id, client_name: 'Documented', redirect_uris: [redirectUrl] })),
);

before(async () => {
  await platform.start();
  client_id = `http://127.0.0.1:${await listen(documents)}/client.json`;
});
after(async () => {
  documents.close();
  await platform.remove();
  rmSync(folder, { recursive: true });
});

const namesOf = async (tools: Promise<readonly { readonly name: string }[]>) =>
  (await tools).map(({ name }) => name);

test("the company's provider registers no program", async () => {
  const { issuer } = platform.company;
  const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
  assert.equal((metadata as object & { registration_endpoint?: string }).registration_endpoint, undefined);
  const body = JSON.stringify({ redirect_uris: [redirectUrl] });
  const headers = { 'Content-Type': 'application/json' };
  assert.equal((await fetch(`${issuer}/reg`, { method: 'POST', headers, body })).status, 404);
});

describe('the official client signs in at the platform by its address alone, with', () => {
  for (const [era, options] of Object.entries(eras)) {
    for (const way of ['a registration', 'a document'] as const) {
      test(`${era} and ${way}`, async () => {
        const information = way === 'a document' ? { client_id } : undefined;
        const authProvider = new AgentsClient(platform.consent, information);
        const signedIn = await signIn(platform.url, options, authProvider);
        const names = () => namesOf(signedIn.listTools().then(({ tools }) => tools));
        assert.deepEqual(await names(), TOOLS);
        const call = (name: string) => signedIn.callTool({ name, arguments: {} });
        assert.notEqual((await call('record_store__get_usage')).isError, true);
        await assert.rejects(async () => {
          const { isError } = await call('record_store__create_collection');
          if (isError) throw new Error('refused');
        });

        // With an access token that counts no more the client refreshes by itself.
        const before = authProvider.tokens()!;
        authProvider.saveTokens({ ...before, access_token: 'apt_over' });
        assert.deepEqual(await names(), TOOLS);
        assert.notEqual(authProvider.tokens()!.refresh_token, before.refresh_token);
        await signedIn.close();
      });
    }
  }
});

describe('mcp-remote', () => {
  /** Starts it, with what a user does who sees an address to visit. @returns its connection, and the addresses that it named */
  async function start(): Promise<{ connection: Connection; visited: string[] }> {
    const visited: string[] = [];
    let failed: (error: Error) => void;
    const failure = new Promise<never>((_resolve, reject) => {
      failed = reject;
    });
    let log = '';
    const onLog = (text: string) => {
      log += text;
      const [named, address] = /visiting:\s+(http\S+)\n/.exec(log) ?? [];
      if (address === undefined) return;
      log = log.replace(named!, '');
      visited.push(address);
      platform.consent(new URL(address)).then(fetch).catch(failed);
    };
    const connecting = connectByBridge(`${platform.url}/mcp`, { folder, onLog });
    return { connection: await Promise.race([connecting, failure]), visited };
  }

  test('signs in by itself, and keeps its grant when it is started again', async () => {
    for (const visits of [1, 0]) {
      const { connection, visited } = await start();
      assert.equal(visited.length, visits);
      assert.deepEqual(await namesOf(connection.tools()), TOOLS);
      assert.notEqual((await connection.call('record_store__get_usage', {})).isError, true);
      await connection.close();
    }
  });
});

describe('a library of OAuth signs in, refreshes, and ends its grant:', () => {
  for (const [name, peer] of Object.entries(oauthPeers))
    test(name, () => peer(platform.url, platform.consent));
});

test('the conformance tests of authorization servers pass', async () => {
  const port = await freePort();
  const registered = await fetch(`${platform.url}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [`http://127.0.0.1:${port}/callback`] }),
  });
  const { client_id: clientId } = (await registered.json()) as { client_id: string };
  const args = ['authorization', '--url', platform.url, '--resource', `${platform.url}/mcp`, '-o', folder];
  const suite = spawn(process.execPath, [conformance, ...args, '--client-id', clientId, '--port', `${port}`]);
  let output = '';
  for (const stream of [suite.stdout, suite.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const start = /^(http\S+\/oauth\/authorize\S+)$/m.exec(text)?.[1];
      if (start !== undefined)
        platform
          .consent(new URL(start))
          .then(fetch)
          .catch(() => suite.kill());
    });
  const code = await new Promise((resolve) => suite.on('close', resolve));
  assert.equal(code, 0, output);
  const outcomes = checksIn(folder).map(({ id, status }) => `${id}: ${status}`);
  assert.deepEqual(outcomes.toSorted(), [
    'authorization-code-grant: SUCCESS',
    'authorization-server-metadata-cimd: SUCCESS',
    'authorization-server-metadata: SUCCESS',
  ]);
});
