import { expect, test } from '@jest/globals';
import { type CpuProfile, flameGraph } from './flame-graph.ts';

const frame = (functionName: string, url = '') => ({ functionName, url, lineNumber: 0 });
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3] },
    { id: 2, callFrame: frame('(idle)') },
    { id: 3, callFrame: frame('handle<T>', 'file:///a/services/gateway/src/main.ts'), children: [4] },
    { id: 4, callFrame: frame('send', 'file:///a/node_modules/@nats-io/core/lib/x.js') },
  ],
  samples: [2, 3, 4, 4],
  timeDeltas: [0, 900, 100, 200, 100],
};

test('shows shares of CPU time, callers with what they call, and leaves idle time out', () => {
  const titles = [...flameGraph(profile, 'gateway').matchAll(/<title>(.*?)<\/title>/g)].map(
    ([, title]) => title,
  );
  expect(titles).toEqual([
    'all (): 100.0 %',
    'handle&lt;T&gt; (services/gateway/src/main.ts): 100.0 %',
    'send (@nats-io/core): 75.0 %',
  ]);
});
