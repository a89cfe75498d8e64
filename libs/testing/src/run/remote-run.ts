import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from '../listen.ts';
import type { TestRun } from './test-run.ts';

/** What test files, which run in processes of their own, ask of the test run. */
type Calls = Pick<TestRun, 'newDatabase' | 'lendBus' | 'takeBackBus' | 'share'>;

interface Request {
  readonly call: keyof Calls;
  readonly args: unknown[];
}

/** Where the environment of a test file says that its run can be asked. */
const VARIABLE = 'TEST_RUN_URL';

/** Lets the processes that this one starts ask the run. */
export async function serveRun(run: TestRun): Promise<Server> {
  // A kept connection is never closed from here: a file that asks at that moment would find it broken.
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

/** Asks the run that this test file is part of. */
export async function askRun<Call extends keyof Calls>(
  call: Call,
  ...args: Parameters<Calls[Call]>
): Promise<Awaited<ReturnType<Calls[Call]>>> {
  const url = process.env[VARIABLE];
  if (url === undefined) {
    throw new Error('There is no test run to ask: run this file through Jest, and not as a unit test.');
  }
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ call, args }) });
  const { answer, error } = (await response.json()) as { answer: never; error?: string };
  if (error !== undefined) throw new Error(error);
  return answer;
}
