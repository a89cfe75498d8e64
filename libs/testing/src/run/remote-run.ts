import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from '../listen.ts';
import type { TestRun } from './test-run.ts';

/** The methods of the test run that test files call from their own processes. */
type Calls = Pick<TestRun, 'newDatabase' | 'lendBus' | 'takeBackBus' | 'share'>;

interface Request {
  readonly call: keyof Calls;
  readonly args: unknown[];
}

/** The environment variable with the address of the test run. */
const VARIABLE = 'TEST_RUN_URL';

/** Serves the test run to the processes that this one starts. */
export async function serveRun(run: TestRun): Promise<Server> {
  // The server never closes an idle connection, because a request may arrive at that moment.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    try {
      const { call, args } = (await json(request)) as Request;
      const answer = await (run[call] as (...args: unknown[]) => Promise<unknown>).apply(run, args);
      response.end(JSON.stringify({ answer }));
    } catch (error) {
      response.end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }));
    }
  });
  process.env[VARIABLE] = `http://127.0.0.1:${await listen(server)}`;
  return server;
}

/** Calls a method of the test run of this test file. */
export async function askRun<Call extends keyof Calls>(
  call: Call,
  ...args: Parameters<Calls[Call]>
): Promise<Awaited<ReturnType<Calls[Call]>>> {
  const url = process.env[VARIABLE];
  if (url === undefined) {
    throw new Error('No test run serves this file: run it with Jest, and not as a unit test.');
  }
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ call, args }) });
  const { answer, error } = (await response.json()) as { answer: never; error?: string };
  if (error !== undefined) throw new Error(error);
  return answer;
}
