import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { connectorRoutes, customOperationRoutes } from '@action-platform/contracts/resources';
import { Receiver } from '@action-platform/testing';
import type { LocalPlatform } from '../../local-platform.ts';
import { say } from '../../on-a-stack.ts';
import { percentile } from '../../percentile.ts';
import { newWorkspace } from '../workload/make-fixture.ts';
import { operation, Session } from '../workload/session.ts';
import { getsWhile, otherGets } from './import-beside-gets.ts';

/** The most that the 99th percentile of others may grow by. */
const MOST_GROWTH = 1.2;
/** The Workspaces that get Records. */
const OTHERS = 8;
const ROUND_MS = 10_000;
/** How long a call hangs before the platform ends it, in milliseconds. */
const HANG_MS = 5_000;
const ID = 'custom.read_order';

/** Answers never, byte by byte, or with a stream of events without end. */
const answers: readonly ((response: ServerResponse) => void)[] = [
  () => {},
  (response) => dripInto(response, 'application/json', ' '),
  (response) => dripInto(response, 'text/event-stream', ': nothing\n\n'),
];

function dripInto(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { 'content-type': type });
  const dripping = setInterval(() => response.write(text), 100);
  response.on('close', () => clearInterval(dripping));
}

/**
 * Has a call of each connector whose API or server hangs or drips under way, while others get Records, and compares these gets with those alone: the median of
 * the rounds' 99th percentiles, as anything else that the machine does for a moment is in one round.
 */
export async function hangBesideGets(
  platform: LocalPlatform,
  { hanging, rounds }: { readonly hanging: number; readonly rounds: number },
): Promise<string[]> {
  const receiver = await Receiver.start(({ path }, response) =>
    answers[Number(path.split('/')[1]) % answers.length]!(response),
  );
  const others = await Promise.all(Array.from({ length: OTHERS }, () => otherGets(platform)));
  const calls = await Promise.all(
    Array.from({ length: hanging }, (_, number) => hangingCall(platform, receiver, number)),
  );
  // The first gets and the first hanging calls of new processes.
  await getsWhile(others, Promise.all(calls.map((call) => call())));
  const p99s = { alone: [] as number[], beside: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    p99s.alone.push(percentile(99, await getsWhile(others, delay(ROUND_MS))));
    let hasEnded = false;
    const besides = calls.map(async (call, number) => {
      // The calls begin one after the other, as calls of different tenants do.
      await delay((HANG_MS * number) / calls.length);
      while (!hasEnded) await call();
    });
    await delay(HANG_MS);
    p99s.beside.push(percentile(99, await getsWhile(others, delay(ROUND_MS))));
    hasEnded = true;
    await Promise.all(besides);
  }
  receiver.stop();
  const [alone, beside] = [percentile(50, p99s.alone), percentile(50, p99s.beside)];
  const text = `p99 of gets ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside ${hanging} connectors that hang`;
  const ofRounds = [p99s.alone, p99s.beside].map((all) => all.map((each) => each.toFixed(1)).join(' '));
  say(`${text}; of each round ${ofRounds.join(' and ')} ms; ${receiver.received.length} calls hung`);
  const [hung, least] = [receiver.received.length, hanging * rounds];
  return [
    ...(hung < least ? [`only ${hung} calls hung, of at least ${least}`] : []),
    ...(beside <= MOST_GROWTH * alone ? [] : [`${text}: more than ${MOST_GROWTH} ×`]),
  ];
}

/** The call of one more Workspace by a connector to an API, or a server of MCP, that hangs. */
async function hangingCall(platform: LocalPlatform, receiver: Receiver, number: number) {
  const { workspace, owners } = await newWorkspace(platform);
  const [{ user, token }] = owners;
  const session = new Session(platform.gateways[0]!, token, { connections: 1 });
  const path = connectorRoutes.put.path.replace('{name}', 'hanging');
  const kind = number % 2 === 0 ? 'http' : 'mcp';
  const baseUrl = `${new URL(receiver.url).origin}/${number}`;
  const connector = { kind, baseUrl, auth: { type: 'none' } };
  await session.json('PUT', path, connector, await platform.operator.freshToken(workspace, user));
  const how = kind === 'http' ? { method: 'get', path: '/' } : { tool: 'pay', digest: '0'.repeat(64) };
  await session.json('PUT', customOperationRoutes.put.path.replace('{id}', ID), {
    ...{ title: 'Read an order', description: 'Reads an order.', effect: 'read' },
    ...{ availability: 'workspace_member', timeoutMs: HANG_MS, target: { connector: 'hanging', ...how } },
    inputSchema: { type: 'object', additionalProperties: false },
  });
  const request = operation(ID, {}, () => ({}));
  return async () => void (await session.ask(request, true));
}
