import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Platform } from '../platform.ts';
import { USER } from './authorization-server.ts';
import { OAuthClient } from './oauth-client.ts';
import { eras, signIn } from './sign-in-client.ts';

const platform = new Platform();

describe('the official client finds the authorization server, registers, signs in and calls, with', () => {
  for (const [era, options] of Object.entries(eras)) {
    test(era, async () => {
      const authProvider = new OAuthClient();
      const signedIn = await signIn(platform.baseUrl, options, authProvider);
      const { tools } = await signedIn.listTools();
      assert.notEqual(tools.length, 0);
      const { content, isError } = await signedIn.callTool({
        name: 'mail__list_authorized_senders',
        arguments: {},
      });
      assert.notEqual(isError, true);
      assert.match((content as { text: string }[])[0]!.text, new RegExp(`${USER}@example.com`));
      await signedIn.close();

      const response = await fetch(`${platform.baseUrl}/api/v1/operations`, {
        headers: { Authorization: `Bearer ${authProvider.tokens()!.access_token}` },
      });
      assert.equal(response.status, 401);
      assert.equal(((await response.json()) as any).error.code, 'invalid_token');
    });
  }
});
