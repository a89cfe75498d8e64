import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The blocks of code in a language of a page, in order. */
export function samplesOf(page: string, language: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, block]) => block!);
}

/**
 * Runs commands of a page in the folder of the clone, as if the platform in a directory were the one of `npm start` there.
 *
 * @param blocks run one after the other in one shell
 * @returns what each block prints
 */
export function pasted(blocks: readonly string[], directory: string, env: NodeJS.ProcessEnv = {}): string[] {
  const script = blocks.map((block, index) => `echo; echo "== ${index}"\n${block}`).join('\n');
  const here = script.replaceAll('./.local/demo.json', join(directory, 'demo.json'));
  const printed = execFileSync('bash', ['-euo', 'pipefail', '-c', here], {
    cwd: root,
    env: { ...process.env, LOCAL_DIR: directory, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return printed.split(/^== \d+\n/m).slice(1);
}

/** The command that runs a program of a page. */
export function commandOf(language: string, program: string): [command: string, args: string[]] {
  // The shell becomes the program, so that a test can end it.
  if (language === 'sh') return ['sh', ['-c', `exec ${program}`]];
  if (language === 'python') return ['python3', ['-c', program]];
  return [process.execPath, ['--input-type=module', '--eval', program]];
}

/** Whether python3 can run a statement here; otherwise it prints what the tests skip. */
export function hasPython(skipped: string, statement = 'pass'): boolean {
  const has = spawnSync('python3', ['-c', statement]).status === 0;
  if (!has) process.stderr.write(`Skipping ${skipped} in Python: no python3 that can "${statement}"\n`);
  return has;
}
