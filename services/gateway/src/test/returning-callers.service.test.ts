import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { GatewayHarness } from './harness.ts';

const harness = new GatewayHarness();
beforeAll(() => harness.issuer.start());
afterAll(() => harness.stop());

test.each([
  ['keep their connection', true],
  ['open a new one for each call', false],
])(
  'callers that send the next request at once, and %s, receive no reset when a gateway stops',
  async (_how, keepAlive) => {
    const gateway = await harness.spawn({});
    let calls = 0;
    const answers = new Set<number>();
    const failures = new Set<string | undefined>();
    const callUntilRefused = async () => {
      const agent = new Agent({ keepAlive });
      while (failures.size === 0) {
        if (++calls === 500) gateway.signal('SIGTERM');
        try {
          const sent = request(`${harness.url}/livez`, { agent }).end();
          const [answer] = (await once(sent, 'response')) as [IncomingMessage];
          answers.add(answer.statusCode!);
          await once(answer.resume(), 'end');
        } catch (failure) {
          failures.add((failure as NodeJS.ErrnoException).code);
        }
      }
      agent.destroy();
    };
    await Promise.all(Array.from({ length: 16 }, callUntilRefused));
    expect(await gateway.exited).toBe(0);
    expect([...answers]).toEqual([200]);
    expect([...failures]).toEqual(['ECONNREFUSED']);
  },
);
