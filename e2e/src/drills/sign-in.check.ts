import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sessionVariables } from '@action-platform/contracts/configuration';
import { freePort } from '@action-platform/local-servers';
import { Caller } from '@action-platform/testing/http';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { pasted, samplesOf } from '../docs-samples.ts';
import { LocalPlatform } from '../local-platform.ts';

jest.setTimeout(120_000);

const PAGE = 'docs/sign-in.md';

const stack = new LocalPlatform();
let issuer: ChildProcess;
let here: (text: string) => string;

beforeAll(async () => {
  const [issuerPort, port] = [await freePort(), await stack.port()];
  here = (text) =>
    text
      .replaceAll('127.0.0.1:9000', `127.0.0.1:${issuerPort}`)
      .replaceAll('listen(9000', `listen(${issuerPort}`)
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
      .replaceAll('.local/', `${stack.directory}/`);
  writeFileSync(join(stack.directory, 'issuer.mjs'), here(samplesOf(PAGE, 'js')[0]!));
  const [startIssuer, startPlatform] = samplesOf(PAGE, 'sh').map(here);
  const [program, ...args] = startIssuer!.trim().split(' ');
  issuer = spawn(program!, args, { cwd: stack.directory, stdio: ['ignore', 'inherit', 'inherit'] });
  const variables = startPlatform!.match(/^(.*) npm start\n$/)![1]!.split(' ');
  Object.assign(
    stack.environment,
    Object.fromEntries(variables.map((variable) => variable.split(/=(.*)/, 2))),
  );
  await stack.start();
});

afterAll(async () => {
  issuer.kill();
  await stack.remove();
});

test('the steps of the page lead to the first push, and each refusal names its cause', () => {
  const shown = pasted(samplesOf(PAGE, 'sh').slice(2).map(here), stack.directory);
  expect(shown[1]).toMatch(/"code":"workspace_membership_required".*"next":"Ask an Owner/);
  expect(shown[2]).toMatch(/"role":"owner".*"collections":\[\]/s);
  expect(shown[3]).toMatch(/"version":1,.*"payload":{"order":1}/);
  const [wrongAudience, noWorkspace, wrongIssuer, ...log] = shown[4]!.trim().split('\n');
  expect(wrongAudience).toContain(
    '"message":"The claim aud of the session token does not name this platform',
  );
  expect(noWorkspace).toContain('"message":"The session token has no claim workspace_id."');
  expect(wrongIssuer).toContain(
    '"message":"The access token was not signed by an issuer that this platform trusts."',
  );
  expect(log.map((line) => JSON.parse(line) as { msg: string; request_id: string })).toMatchObject([
    { msg: 'token refused: aud is not action-platform', request_id: requestIdOf(wrongAudience!) },
    { msg: 'token refused: claim workspace_id missing', request_id: requestIdOf(noWorkspace!) },
    {
      msg: expect.stringMatching(/^token refused: iss is not urn:example:issuer or /),
      request_id: requestIdOf(wrongIssuer!),
    },
  ]);
});

test("the demo's own issuer stays trusted", async () => {
  const { base_url, owner } = JSON.parse(readFileSync(join(stack.directory, 'demo.json'), 'utf8'));
  await new Caller(base_url, owner.token).request('GET', '/api/v1/operations');
});

test('the gateway and Keycloak accept the settings on the page', () => {
  const [scope, issuers] = samplesOf(PAGE, 'json').map((block) => JSON.parse(block));
  const { config } = scope.protocolMappers[0];
  expect(readFileSync(PAGE, 'utf8')).toContain(
    `\`SESSION_AUDIENCE\` (\`${config['included.custom.audience']}\`)`,
  );
  const parsed = sessionVariables.shape.SESSION_ISSUERS.parse(JSON.stringify(issuers));
  expect(parsed).toEqual(issuers);
});

function requestIdOf(answer: string): string {
  return (JSON.parse(answer) as { error: { requestId: string } }).error.requestId;
}
