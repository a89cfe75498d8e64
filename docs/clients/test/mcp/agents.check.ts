import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { listen } from '@action-platform/testing';
import { LocalPlatform } from '../../../../e2e/src/local-platform.ts';
import { AgentsClient } from './agents-client.ts';
import { eras, redirectUrl, signIn } from './sign-in-client.ts';

const platform = new LocalPlatform();
const READS = ['procedures.list_drafts', 'record_store.get_usage'];

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
});

/** A Member allows reads: what the page of consent sends. */
async function consent(asked: URLSearchParams): Promise<string> {
  const { base_url, workspace_id, member } = platform.demo;
  const token = await platform.operator.freshToken(workspace_id, member.user_id);
  const response = await fetch(`${base_url}/api/v1/agent-authorizations`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      clientId: asked.get('client_id'),
      redirectUri: asked.get('redirect_uri'),
      codeChallenge: asked.get('code_challenge'),
      resource: asked.get('resource'),
      state: asked.get('state') ?? undefined,
      operations: READS,
      name: 'Two reads',
    }),
  });
  const body = (await response.json()) as { redirectTo: string };
  assert.equal(response.status, 201, JSON.stringify(body));
  return body.redirectTo;
}

describe('the official client signs in at the platform by its address alone, with', () => {
  for (const [era, options] of Object.entries(eras)) {
    for (const way of ['a registration', 'a document'] as const) {
      test(`${era} and ${way}`, async () => {
        const authProvider = new AgentsClient(consent, way === 'a document' ? { client_id } : undefined);
        const signedIn = await signIn(platform.demo.base_url, options, authProvider);
        const names = async () => (await signedIn.listTools()).tools.map(({ name }) => name);
        assert.deepEqual(
          await names(),
          READS.map((id) => id.replace('.', '__')),
        );
        const call = (name: string) => signedIn.callTool({ name, arguments: {} });
        assert.notEqual((await call('record_store__get_usage')).isError, true);
        await assert.rejects(async () => {
          const { isError } = await call('record_store__create_collection');
          if (isError) throw new Error('refused');
        });

        // With an access token that counts no more the client refreshes by itself.
        const before = authProvider.tokens()!;
        authProvider.saveTokens({ ...before, access_token: 'apt_over' });
        assert.deepEqual(
          await names(),
          READS.map((id) => id.replace('.', '__')),
        );
        assert.notEqual(authProvider.tokens()!.refresh_token, before.refresh_token);
        await signedIn.close();
      });
    }
  }
});
