import { expect, test } from '@jest/globals';
import { causeOf, testTools } from '../test-support/test-tools.ts';

const tools = testTools(2);

test('each replica has one session with a server, and one more when that ends', async () => {
  // All calls begin at the same time as the tests of other files.
  const operation = await tools.define({ timeoutMs: 4_000 });
  for (const _ of [1, 2]) {
    // The bus chooses a replica for each call.
    do expect((await tools.call(operation)).code).toBe('ok');
    while (tools.server.sessions.size < 2);
    const answers = await Promise.all(Array.from({ length: 8 }, () => tools.call(operation)));
    expect(new Set(answers.map((answer) => causeOf(answer) ?? answer.code))).toEqual(new Set(['ok']));
    expect(tools.server.sessions.size).toBe(2);
    tools.server.sessions.clear();
  }
});
