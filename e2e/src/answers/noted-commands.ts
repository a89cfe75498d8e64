import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StackProcess } from '../stack-process.ts';

/** Commands that run outside of calls, or as part of a command with a limit. */
const WITHOUT_LIMIT = [
  'createIndexes',
  'listIndexes',
  'dropIndexes',
  'getMore',
  'killCursors',
  'endSessions',
];

/** A command that a service has sent to its database. */
interface NotedCommand {
  readonly database: string;
  readonly command: string;
  readonly isLimited: boolean;
}

/** Makes the processes of a platform record their MongoDB commands. Call it before the start. */
export function noteCommands({ directory, environment }: StackProcess): () => NotedCommand[] {
  const file = join(directory, 'commands');
  environment.NODE_COMMANDS_FILE = file;
  environment.NODE_OPTIONS = `--import=${fileURLToPath(new URL('note-commands.ts', import.meta.url))}`;
  return () =>
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string, string])
      .filter(([, command]) => !WITHOUT_LIMIT.includes(command))
      .map(([database, command, limit]) => ({ database, command, isLimited: limit === 'limited' }));
}
