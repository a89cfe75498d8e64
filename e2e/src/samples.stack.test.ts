import { execFile as execFileWithCallback } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, jest, test } from '@jest/globals';
import { hasPython } from './docs-samples.ts';
import { runJavaScript, Samples } from './samples.ts';
import { SharedStack } from './shared-stack.ts';

const execFile = promisify(execFileWithCallback);

/** Runs a sample and resolves with its output; rejects when it fails. */
type Run = (source: string, env: NodeJS.ProcessEnv) => Promise<string>;

async function runPython(source: string, env: NodeJS.ProcessEnv): Promise<string> {
  const asJson = source.replace('print(json.load(response))', 'print(json.dumps(json.load(response)))');
  return (await execFile('python3', ['-c', asJson], { env })).stdout;
}

async function runShell(source: string, env: NodeJS.ProcessEnv): Promise<string> {
  return (await execFile('sh', ['-c', `${source} --silent --show-error --fail`], { env })).stdout;
}

const languages: [label: string, run: Run][] = [
  ['curl', runShell],
  ['JavaScript', runJavaScript],
  ...(hasPython('the samples') ? ([['Python', runPython]] as [string, Run][]) : []),
];

// Python takes longer to start than a sample to run.
jest.setTimeout(180_000);

const stack = new SharedStack();

test.each(languages)(
  'every sample for %s runs and gets the answer that the reference shows',
  async (label, run) => {
    const { base_url: BASE_URL, owner } = await stack.workspace();
    const samples = await Samples.of(BASE_URL, label);
    for (const id of samples.succeeding) {
      const environment = { PATH: process.env.PATH, BASE_URL, TOKEN: owner.token };
      const shown = await run(samples.sourceOf(id), environment);
      expect({ id, found: samples.compare(id, shown) }).toEqual({ id, found: [] });
    }
  },
);
