import { type ChildProcess, execFile as execFileWithCallback, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { hasPython } from './docs-samples.ts';
import { runJavaScript, Samples } from './samples.ts';
import { SharedStack } from './shared-stack.ts';

const execFile = promisify(execFileWithCallback);

/** Runs a sample and resolves with its output; rejects when it fails. */
type Run = (source: string, env: NodeJS.ProcessEnv) => Promise<string>;

/** Runs all samples in one process, because Python takes longer to start than a sample to run. */
const PYTHON = `
import contextlib, io, json, os, sys
for line in sys.stdin:
    sample = json.loads(line)
    os.environ.update(sample["env"])
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(sample["source"], {})
    print(json.dumps(shown.getvalue()), flush=True)
`;
let python: { process: ChildProcess; lines: AsyncIterator<string> } | undefined;
afterAll(() => {
  python?.process.kill();
});

async function runPython(source: string, env: NodeJS.ProcessEnv): Promise<string> {
  if (python === undefined) {
    const process = spawn('python3', ['-c', PYTHON], { stdio: ['pipe', 'pipe', 'inherit'] });
    python = { process, lines: createInterface(process.stdout)[Symbol.asyncIterator]() };
  }
  const asJson = source.replace('print(json.load(response))', 'print(json.dumps(json.load(response)))');
  python.process.stdin!.write(`${JSON.stringify({ source: asJson, env })}\n`);
  const { value, done } = await python.lines.next();
  if (done) throw new Error('Python ended with an error');
  return JSON.parse(value);
}

async function runShell(source: string, env: NodeJS.ProcessEnv): Promise<string> {
  return (await execFile('sh', ['-c', `${source} --silent --show-error --fail`], { env })).stdout;
}

const languages: [label: string, run: Run][] = [
  ['curl', runShell],
  ['JavaScript', runJavaScript],
  ...(hasPython('the samples') ? ([['Python', runPython]] as [string, Run][]) : []),
];

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
