import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Demo } from '@action-platform/local';
import { freePort } from '@action-platform/local-servers';
import { Caller, createGrant } from '@action-platform/testing/http';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { setRules } from './approval-rules.ts';
import { demoFolder } from './demo-folder.ts';
import { APPROVAL, dialogOf, hasPython, pasted, samplesOf } from './docs-samples.ts';
import { RunningSamples } from './running-samples.ts';
import { SharedStack } from './shared-stack.ts';

jest.setTimeout(120_000);

const stack = new SharedStack();
const samples = new RunningSamples();
const folder = mkdtempSync(join(tmpdir(), 'refunds-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PAGE = 'docs/custom-operations.md';
/** The address of the receiver on the page. */
const ADDRESS = 'http://127.0.0.1:3000';

/** Starts the receiver of the page for a Workspace. @returns its address, and a function with its output so far */
async function receive(language: string, { base_url: PLATFORM, workspace_id: WORKSPACE }: Demo) {
  const port = await freePort();
  const [ORIGIN, DATABASE] = [`http://127.0.0.1:${port}`, join(folder, `${port}.db`)];
  const [, output] = await samples.serve(PAGE, language, port, { PLATFORM, WORKSPACE, ORIGIN, DATABASE });
  return [ORIGIN, output] as const;
}

/** The commands of the page that register and call the operation, for a receiver. */
const commands = (origin: string) => {
  const [setup, , ...others] = samplesOf(PAGE, 'sh').map((block) => block.replaceAll(ADDRESS, origin));
  return [setup!, ...others];
};

/** A Workspace like that of the demo, and what commands print when they are pasted where it is the demo. */
async function workspace() {
  const demo = await stack.workspace();
  const directory = demoFolder(demo);
  const paste = (blocks: readonly string[], env = {}) => pasted(blocks, directory, env);
  return { demo, paste };
}

/** Waits until a receiver has printed that it verified so many requests. */
async function untilVerified(output: () => string, requests: number): Promise<void> {
  while ((output().match(/^verified /gm) ?? []).length < requests) await delay(50);
}

describe.each(['js', 'python'])('the receiver of docs/custom-operations.md in %s', (language) => {
  const supported = language === 'js' || hasPython('the receiver', 'jwt', 'cryptography') ? test : test.skip;

  supported('is called by the commands of the page, for a person and for an agent', async () => {
    const { demo, paste } = await workspace();
    const [origin, output] = await receive(language, demo);
    const [, registered, called, asTool, again] = paste([...commands(origin), commands(origin)[2]!]);
    expect(registered).toContain('"id":"custom.refund_order"');
    for (const answer of [called, again])
      expect(answer).toMatch(/^\{"result":\{"refund_id": ?"refund of 2026-0815"\}\}/);
    expect(asTool).toContain('refund of 2026-0816');
    await untilVerified(output, 2);
    expect(output()).toContain(`verified ${demo.owner.user_id} custom.refund_order ogr_`);
  });

  supported('refuses by a declared code', async () => {
    const { demo, paste } = await workspace();
    const [setup, register] = commands((await receive(language, demo))[0]);
    const unknown = `call "$OWNER" custom.refund_order '{"order_id":"unknown","idempotency_key":"k"}'`;
    const [, , refused] = paste([setup!, register!, unknown]);
    expect(refused).toContain('"code":"custom_order_not_found","message":"No order has this id."');
  });
});

test('the dialog at the top of the README is what an agent gets that is held, approved and goes on', async () => {
  const { demo, paste } = await workspace();
  const [origin, output] = await receive('js', demo);
  paste(commands(origin).slice(0, 2));
  const FRESH = await stack.operator.freshToken(demo.workspace_id, demo.owner.user_id);
  const operation = 'custom.refund_order';
  await setRules(new Caller(demo.base_url, FRESH), [{ operations: [operation], callers: 'grants' }]);
  const { secret: AGENT } = await createGrant(demo.base_url, demo.owner.token, { operationScope: operation });

  const dialog = dialogOf('README.md');
  const [held, ...goneOn] = dialog.commands;
  const printed = paste(['. docs/demo.sh', held!, APPROVAL, ...goneOn], { AGENT, FRESH });
  const answers = [printed[1]!, ...printed.slice(3)];
  expect(answers).toHaveLength(3);
  for (const [index, shown] of dialog.answers.entries()) expect(answers[index]).toMatch(shown);
  await untilVerified(output, 1);
  expect(output().match(/^verified /gm)).toHaveLength(1);
});
