import { execFile as execFileWithCallback, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { hasPython } from './docs-samples.ts';
import { runJavaScript, Samples } from './samples.ts';
import { SharedStack } from './shared-stack.ts';

const execFile = promisify(execFileWithCallback);

/** Runs samples in one language. */
interface Runner {
  /** Resolves with the output of a sample; rejects when it fails. */
  run(source: string): Promise<string>;
  stop?(): void;
}

/** Executes each sample, which is a line of JSON, and prints its output as such a line. */
const PYTHON = `
import contextlib, io, json, sys
for line in sys.stdin:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(json.loads(line), {})
    print(json.dumps(output.getvalue()), flush=True)
`;

/** One process runs all samples, as Python takes longer to start than a sample to run. */
function startPython(env: NodeJS.ProcessEnv): Runner {
  const { stdin, stdout } = spawn('python3', ['-c', PYTHON], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const outputs = createInterface(stdout)[Symbol.asyncIterator]();
  return {
    async run(source) {
      const asJson = source.replace('print(json.load(response))', 'print(json.dumps(json.load(response)))');
      stdin.write(`${JSON.stringify(asJson)}\n`);
      const { value, done } = await outputs.next();
      if (done) throw new Error(`Python ended with the sample ${source}`);
      return JSON.parse(value);
    },
    stop: () => stdin.end(),
  };
}

const startShell = (env: NodeJS.ProcessEnv): Runner => ({
  run: async (source) =>
    (await execFile('sh', ['-c', `${source} --silent --show-error --fail`], { env })).stdout,
});

const startJavaScript = (env: NodeJS.ProcessEnv): Runner => ({ run: (source) => runJavaScript(source, env) });

const languages: [label: string, start: (env: NodeJS.ProcessEnv) => Runner][] = [
  ['curl', startShell],
  ['JavaScript', startJavaScript],
  ...(hasPython('the samples') ? ([['Python', startPython]] as [string, typeof startPython][]) : []),
];

const stack = new SharedStack();

test.each(languages)(
  'every sample for %s runs and gets the answer that the reference shows',
  async (label, start) => {
    const { base_url: BASE_URL, owner } = await stack.workspace();
    const samples = await Samples.of(BASE_URL, label);
    const runner = start({ PATH: process.env.PATH, BASE_URL, TOKEN: owner.token });
    try {
      for (const id of samples.succeeding) {
        const shown = await runner.run(samples.sourceOf(id));
        expect({ id, found: samples.compare(id, shown) }).toEqual({ id, found: [] });
      }
    } finally {
      runner.stop?.();
    }
  },
);
