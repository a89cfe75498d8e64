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
 * The dialog with a shell of a page: commands after `$ `, each with its answer below. A `…` in an answer stands for any text, and
 * a line that begins with `→` for a person's act.
 */
export function dialogOf(page: string): { commands: string[]; answers: RegExp[] } {
  const [dialog] = samplesOf(page, 'console');
  const turns = dialog!.split(/^\$ /m).slice(1);
  const spoken = turns.map((turn) => turn.replaceAll(/^ *→.*$| +←.*$/gm, '').split('\n'));
  return {
    commands: spoken.map(([command]) => command!),
    answers: spoken.map(([, ...lines]) => {
      const parts = lines.flatMap((line) => line.trim().split('…')).map((part) => RegExp.escape(part.trim()));
      return new RegExp(parts.join('.*'), 's');
    }),
  };
}

/** Approves the call that waits, in a shell with an Owner's token `FRESH`, as the click of a person does. */
export const APPROVAL = `
APPROVAL=$(request "$FRESH" GET '/api/v1/approvals?status=pending' | pick 'approvals[0].id')
request "$FRESH" POST "/api/v1/approvals/$APPROVAL/decision" '{"decision":"approve"}'`;

/** Pastes a block alone, into a shell in the folder of the clone, by default where no platform has run. @returns what it prints to stderr */
export function pastedAlone(block: string, directory = '/nowhere'): string {
  const env = { PATH: process.env.PATH, LOCAL_DIR: directory };
  // With a socket as input, bash would read its startup files.
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  const { status, stderr } = spawnSync('bash', ['-ec', block], {
    ...{ cwd: root, env, encoding: 'utf8', stdio: [...stdio] },
  });
  return `${status === 0 ? 'The block succeeded: ' : ''}${stderr}`;
}

/**
 * Runs commands of a page in the folder of the clone, as if the platform in a directory were the one of `npm start` there.
 *
 * @param blocks run one after the other in one shell
 * @returns what each block prints
 */
export function pasted(blocks: readonly string[], directory: string, env: NodeJS.ProcessEnv = {}): string[] {
  const script = blocks.map((block, index) => `echo; echo "== ${index}"\n${block}`).join('\n');
  const printed = execFileSync('bash', ['-euo', 'pipefail', '-c', script], {
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
  if (language === 'python') return [python(importsOf(program)) ?? 'python3', ['-c', program]];
  return [process.execPath, ['--input-type=module', '--eval', program]];
}

/** Whether a python3 here has these modules; otherwise `hasPython` prints what the tests skip. */
export function hasPython(skipped: string, ...modules: string[]): boolean {
  const has = python(modules) !== undefined;
  if (!has) process.stderr.write(`Skipping ${skipped} in Python: no python3 has ${modules.join(', ')}\n`);
  return has;
}

/** The packages beside the standard library that programs of the pages import. */
const PACKAGES = ['jwt', 'cryptography'];

const importsOf = (program: string) => PACKAGES.filter((name) => program.includes(`import ${name}`));

/** The first python3 with these modules: that of the PATH, or Debian's, for which apt-get installs packages. */
function python(modules: readonly string[]): string | undefined {
  const statement = ['pass', ...modules.map((name) => `import ${name}`)].join('; ');
  return ['python3', '/usr/bin/python3'].find((name) => spawnSync(name, ['-c', statement]).status === 0);
}
