import { type ChildProcess, execFile as execFileWithCallback, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SharedStack } from './shared-stack.ts';

const execFile = promisify(execFileWithCallback);

/** The parts of the OpenAPI document that this test reads. */
interface Documented {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { content?: Record<string, { example?: unknown }> }>>;
  readonly 'x-codeSamples': readonly { readonly label: string; readonly source: string }[];
}

/** Runs a sample and resolves with its output; rejects when it fails. */
type Run = (source: string, env: NodeJS.ProcessEnv) => Promise<string>;

const AsyncFunction = (async () => {}).constructor as new (
  ...source: string[]
) => (...given: object[]) => Promise<void>;

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

const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) process.stderr.write('Skipping the samples for Python: there is no python3 here\n');

const languages: [label: string, run: Run][] = [
  [
    'curl',
    async (source, env) =>
      (await execFile('sh', ['-c', `${source} --silent --show-error --fail`], { env })).stdout,
  ],
  [
    'JavaScript',
    async (source, env) => {
      const shown: unknown[] = [];
      const console = { log: (value: unknown) => shown.push(value) };
      await new AsyncFunction('process', 'console', source)({ env }, console);
      return typeof shown[0] === 'string' ? shown[0] : JSON.stringify(shown[0]);
    },
  ],
  ...(hasPython ? ([['Python', runPython]] as [string, Run][]) : []),
];

/** The operations that create objects for the others, and below those that end them, in a working order. */
const FIRST = [
  ...['create_collection', 'push_record', 'replace_record', 'patch_record'].map((id) => `record_store.${id}`),
  ...['mail.send_email', 'addMember', 'createOperationGrant', 'createRoutineGrant', 'createWebhookEndpoint'],
  'putCustomOperation',
];
const LAST = [
  ...['archive', 'restore', 'archive', 'delete'].map((change) => `record_store.${change}_record`),
  ...['revokeOperationGrant', 'revokeRoutineGrant', 'deleteWebhookEndpoint', 'removeCustomOperation'],
  'removeMember',
];
/** Their examples name an event, a delivery, an approval, a revision or a mailbox that the Workspace does not have, or a mail server. */
const REFUSED = [
  ...['replayWebhookEvents', 'resendWebhookDelivery', 'setApprovalRules', 'getApproval', 'decideApproval'],
  ...['createAppConnection', 'deleteAppConnection', 'beginAuthorization', 'completeAuthorization'],
  ...['createSender', 'changeSender', 'deleteSender'],
];

let stack: SharedStack;
let documented: ReadonlyMap<string, Documented>;

beforeAll(async () => {
  stack = await SharedStack.join();
  const { paths } = (await (await fetch(`${stack.gateways[0]}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Documented>>;
  };
  const all = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    // A stream has no end.
    .filter(({ responses }) => responses['200']?.content?.['text/event-stream'] === undefined);
  documented = new Map(all.map((operation) => [operation.operationId, operation]));
});
afterAll(async () => {
  python?.process.kill();
  await stack?.leave();
});

test.each(languages)(
  'every sample for %s runs and gets the answer that the reference shows',
  async (label, run) => {
    const { base_url: BASE_URL, owner } = await stack.workspace();
    const environment = { PATH: process.env.PATH, BASE_URL, TOKEN: owner.token };
    const others = [...documented.keys()].filter((id) => ![...FIRST, ...LAST, ...REFUSED].includes(id));
    // The ids of created objects, which replace the ids of the examples in a sample.
    const own = new Map<string, string>();
    for (const id of [...FIRST, ...others, ...LAST]) {
      const { responses, 'x-codeSamples': samples } = documented.get(id)!;
      const written = samples.find((sample) => sample.label === label)!;
      const source = written.source.replaceAll(MADE, (example) => own.get(example) ?? example);
      const shown = await run(source, environment);
      const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2'))!;
      const { example } = answer.content!['application/json'] ?? {};
      // The example of the document itself is an outline.
      if (example === undefined || id === 'getOpenApiDocument') continue;
      const found = differences(example, JSON.parse(shown), '', own);
      expect({ id, found }).toEqual({ id, found: [] });
    }
  },
);

/** Matches ids of objects that samples create. */
const MADE = /\b(?:col|rec|ogr|rgr|whe)_\w+/g;

/** An attempt has an HTTP status or a failure. Which one the example's endpoint gets depends on the moment. */
const OUTCOME_OF_ATTEMPT = /\.attempts\[0\]\.(status|failure)$/;

/** The paths where the fields of an answer differ from those of its example. Adds the ids of the answer to `own`. */
function differences(example: unknown, answer: unknown, at: string, own: Map<string, string>): string[] {
  if (typeof example === 'string' && example.match(MADE)?.[0] === example && !own.has(example))
    own.set(example, String(answer));
  // Whether something that may be null is, depends on the moment.
  if (example === null || answer === null || OUTCOME_OF_ATTEMPT.test(at)) return [];
  if (typeof example !== typeof answer) return [at];
  if (typeof example !== 'object') return [];
  // Of a list one item is compared: that of the example's id, or else the first.
  if (Array.isArray(example)) {
    const items = answer as { readonly id?: unknown }[];
    const [first] = example as typeof items;
    const same = items.find(({ id }) => id !== undefined && id === first?.id) ?? items[0];
    return first === undefined || same === undefined ? [] : differences(first, same, `${at}[0]`, own);
  }
  const names = new Set([...Object.keys(example), ...Object.keys(answer as object)]);
  return [...names].flatMap((name) =>
    differences(example[name as never], (answer as object)[name as never], `${at}.${name}`, own),
  );
}
