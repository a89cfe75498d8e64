import { join } from 'node:path';
import { localDirectory } from '@action-platform/local';
import { endWith, say } from '../on-a-stack.ts';
import { StackProcess } from '../stack-process.ts';
import { readCase, writeCase } from './case-files.ts';
import { FuzzedPlatform } from './environment/fuzzed-platform.ts';
import { fuzz } from './fuzz.ts';
import { type Options, readOptions } from './options.ts';
import type { Target } from './target.ts';
import { openTarget } from './targets.ts';

/** The length of a target's turn, in milliseconds. */
const ROUND_MS = 10_000;

const stack = new StackProcess();
// The most verbose level shows the most forbidden text.
stack.environment.LOG_LEVEL = 'debug';
let platform: Promise<FuzzedPlatform> | undefined;
const openPlatform = () => {
  platform ??= startPlatform();
  return platform;
};

async function startPlatform(): Promise<FuzzedPlatform> {
  say('Starting a platform …');
  const { base_url } = await stack.start();
  return await FuzzedPlatform.in(stack.directory, base_url);
}

await endWith(stack, async () => {
  const options = readOptions(process.argv.slice(2));
  return !(await (options.replay === undefined ? hunt(options) : replay(options.replay)));
});

/** Repeats a case. @returns whether it still causes a finding */
async function replay(path: string): Promise<boolean> {
  const { target: name, input } = readCase(path);
  const target = await openTarget(name, openPlatform);
  const problem = await target.check(input).then(
    () => undefined,
    (error: Error) => error.message,
  );
  await target.close();
  say(problem ?? 'The case causes no finding.');
  return problem !== undefined;
}

/** Lets the targets take turns until the time is up; a target with a finding has no further turn. */
async function hunt({ forMs, only, seed: firstSeed }: Options): Promise<boolean> {
  const open = new Map<string, Target>();
  for (const name of only) open.set(name, await openTarget(name, openPlatform));
  const tried = new Map<string, number>(only.map((name) => [name, 0]));
  const findings: string[] = [];
  const end = performance.now() + forMs;
  const left = () => end - performance.now();
  let seed = firstSeed;
  while (left() > 0 && open.size > 0) {
    for (const [name, target] of open) {
      if (left() <= 0) break;
      const { inputs, found } = await fuzz(target, { seed, forMs: Math.min(ROUND_MS, left()) });
      tried.set(name, tried.get(name)! + inputs);
      say(
        `${name.padEnd(4)}  seed ${seed}  ${inputs} inputs  ${Math.max(0, Math.ceil(left() / 1000))} s left`,
      );
      if (found !== undefined) {
        const folder = join(localDirectory(process.env).root, 'fuzz');
        const path = writeCase(folder, seed, {
          target: target.name as never,
          found: found.problem,
          input: found.input,
        });
        findings.push(
          `${name}: ${found.problem}\n  npm run e2e -- fuzz --replay ${path}\n  npm run e2e -- fuzz --only ${name} --seed ${seed}`,
        );
        open.delete(name);
        await target.close();
      }
      seed++;
    }
  }
  for (const target of open.values()) await target.close();
  say(
    `\nTried ${[...tried].map(([name, inputs]) => `${inputs} of ${name}`).join(', ')}; found ${findings.length}.`,
  );
  for (const finding of findings) say(`\n${finding}`);
  return findings.length > 0;
}
