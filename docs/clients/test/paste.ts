import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Platform } from './platform.ts';

const docs = new URL('../../', import.meta.url);

/** The blocks of code in a language of a page of docs. */
export function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(new URL(page, docs), 'utf8');
  return [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, block]) => block!);
}

/** Runs commands of a page in the folder of the clone, as if this platform were the one of `npm start` there; returns what they print. */
export function paste(commands: readonly string[], platform: Platform, env: NodeJS.ProcessEnv = {}): string {
  const demo = join(platform.directory, 'demo.json');
  const script = commands.join('\n').replaceAll('./.local/demo.json', demo);
  return execFileSync('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: fileURLToPath(new URL('../', docs)),
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
