import { once } from 'node:events';
import { createServer } from 'node:http';
import {
  type Environment,
  readConfig,
  sessionIssuers,
  sessionVariables,
} from '@action-platform/contracts/configuration';
import { listen, TestIssuer } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SessionTokens } from './session-tokens.ts';
import { keptLog } from './test-support/kept-log.ts';

const own = new TestIssuer();
/** An issuer that never answers. */
const hanging = createServer();
const partner = new TestIssuer('https://partner.test');
beforeAll(() => Promise.all([own.start(), partner.start()]));
afterAll(() => {
  own.stop();
  partner.stop();
  hanging.close();
  hanging.closeAllConnections();
});

const member = { workspaceId: 'ws_1', userId: 'olga' };
const settings = (...issuers: object[]) => ({ ...own.environment, SESSION_ISSUERS: JSON.stringify(issuers) });
const configured = (environment: Environment) => {
  const issuers = sessionIssuers(readConfig(sessionVariables, environment));
  return new SessionTokens({ issuers, maxLifetime: 86_400, log: keptLog().log });
};
const theirs = () => {
  const { issuer, audience, jwksUrl: jwks_url } = partner;
  return { issuer, audience, jwks_url };
};

test.each(['tenant', 'https://example.com/workspace_id', 'a.b'])(
  'the claims of Workspace and user may have the name %s',
  async (name) => {
    const names = { SESSION_WORKSPACE_CLAIM: name, SESSION_USER_CLAIM: `${name}/user` };
    const sessions = configured({ ...own.environment, ...names });
    const token = await own.token(member, { [name]: 'ws_2', [`${name}/user`]: 'ada', sub: undefined });
    expect(await sessions.verify(token)).toEqual({ workspaceId: 'ws_2', userId: 'ada' });
    const verified = sessions.verify(await own.token(member));
    await expect(verified).rejects.toMatchObject({ reason: expect.stringContaining('missing') });
  },
);

describe('several issuers', () => {
  test('have their own keys and claims', async () => {
    const sessions = configured(settings({ ...theirs(), workspace_claim: 'tenant' }));
    expect(await sessions.verify(await own.token(member))).toEqual(member);
    expect(await sessions.verify(await partner.token(member, { tenant: 'ws_2' }))).toEqual({
      ...member,
      workspaceId: 'ws_2',
    });
  });

  test('cannot sign for each other', async () => {
    const sessions = configured(settings(theirs()));
    const verified = sessions.verify(await partner.token(member, { iss: own.issuer }));
    await expect(verified).rejects.toMatchObject({ code: 'invalid_token' });
  });

  test('are not held up by one that hangs, whose own sessions end at the deadline of their call', async () => {
    const asked = once(hanging, 'request');
    const jwks_url = `http://127.0.0.1:${await listen(hanging)}/jwks.json`;
    const sessions = configured(settings({ ...theirs(), jwks_url }));
    const token = await partner.token(member);
    const held = Promise.all(Array.from({ length: 8 }, () => sessions.verify(token).catch(() => 'refused')));
    await asked;
    const first = await Promise.race([held, sessions.verify(await own.token(member))]);
    expect(first).toEqual(member);
    const late = sessions.verify(token, performance.now() + 20).catch(({ code }) => code);
    expect(await Promise.race([held, late])).toBe('action_platform_unavailable');
  });

  test('may sign tokens only for the Workspaces that are listed for them', async () => {
    const sessions = configured(settings({ ...theirs(), workspaces: ['ws_1'] }));
    expect(await sessions.verify(await partner.token(member))).toEqual(member);
    const elsewhere = { ...member, workspaceId: 'ws_2' };
    await expect(sessions.verify(await partner.token(elsewhere))).rejects.toMatchObject({
      code: 'invalid_token',
      reason: 'claim workspace_id is none of the workspaces of its issuer',
    });
    expect(await sessions.verify(await own.token(elsewhere))).toEqual(elsewhere);
  });

  test.each([
    ['{', 'SESSION_ISSUERS: is not JSON'],
    ['{}', 'SESSION_ISSUERS: must be an array, not an object'],
    ['[{"issuer":"https://partner.test"}]', 'SESSION_ISSUERS.0.audience: '],
    [
      '[{"issuer":"i","audience":"a","jwks_url":"http://partner.test/keys"}]',
      'SESSION_ISSUERS.0.jwks_url: must begin with https://',
    ],
    [
      '[{"issuer":"i","audience":"a","jwks_url":"https://partner.test/keys","colour":"red"}]',
      'SESSION_ISSUERS.0: Unrecognized key: "colour"',
    ],
    [
      '[{"issuer":"https://issuer.test","audience":"a","jwks_url":"https://partner.test/keys"}]',
      'SESSION_ISSUERS: https://issuer.test is listed twice',
    ],
  ])('that are given as %s are refused at the start', (SESSION_ISSUERS, reason) => {
    expect(() => configured({ ...own.environment, SESSION_ISSUERS })).toThrow(reason);
  });
});
