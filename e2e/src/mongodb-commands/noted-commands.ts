import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Commands that run outside of calls, or as part of a command with a limit. */
const WITHOUT_LIMIT = /^(createIndexes|listIndexes|dropIndexes|getMore|killCursors|endSessions)$/;

/** A command that a service has sent to its database. */
interface NotedCommand {
  readonly database: string;
  readonly command: string;
  readonly isLimited: boolean;
}

/** The variable with the folder of the notes. */
export const NOTES_FOLDER = 'NODE_COMMANDS_FOLDER';

/** The variables that make the processes of a platform note their MongoDB commands, beside that of the folder. */
export const notingCommands = {
  NODE_OPTIONS: `--import=${fileURLToPath(new URL('note-commands.ts', import.meta.url))}`,
};

/** The commands that the services of a platform have sent to MongoDB so far, from its notes in a folder. */
export function notedCommands(folder: string): NotedCommand[] {
  return readFileSync(join(folder, 'commands'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as [string, string, string])
    .filter(([, command]) => !WITHOUT_LIMIT.test(command))
    .map(([database, command, limit]) => ({ database, command, isLimited: limit === 'limited' }));
}
