import { escapeHidden } from '@action-platform/contracts/schema';
import type { Command } from './command.ts';
import { commands, commandsAbout } from './commands.ts';
import { helpOf, overview } from './help.ts';
import { readInput } from './options.ts';
import { type Environment, Platform } from './platform.ts';
import { asJson, asTable } from './printed.ts';
import { readSecret, type Source, type Terminal } from './secret.ts';

/** An output for text, such as `process.stdout`. */
interface Sink {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/**
 * Runs the command after `npm run admin --`: writes its answer to `stdout`, or one line with the reason for a failure to `stderr`.
 *
 * @returns the exit code
 */
export async function admin(
  args: readonly string[],
  environment: Environment,
  { stdin, stdout, stderr }: { readonly stdin?: Source; readonly stdout: Sink; readonly stderr: Sink },
): Promise<number> {
  try {
    const typed = args.filter((word) => word !== '--json' && word !== '--table');
    const isTable = args.includes('--table') || (stdout.isTTY === true && !args.includes('--json'));
    const helpText = help(typed);
    if (helpText === undefined) return await execute(typed, environment, isTable, { stdin, stdout, stderr });
    stdout.write(helpText);
    return 0;
  } catch (error) {
    // An error may quote an argument, or a service's answer.
    stderr.write(`${escapeHidden(error instanceof Error ? error.message : String(error))}\n`);
    return 1;
  }
}

/** The help that was requested; undefined for a command. */
function help(typed: readonly string[]): string | undefined {
  const isAsked = typed.length === 0 || typed[0] === 'help' || typed.includes('--help');
  if (!isAsked) return undefined;
  const words = (typed[0] === 'help' ? typed.slice(1) : typed).filter((word) => word !== '--help');
  if (words.length === 0) return overview(commands);
  const group = commandsAbout(words.join(' '));
  return group.length > 0 ? overview(group) : helpOf(commandIn(words));
}

/** Moves to the top left and clears the screen, so that an answer replaces the last one (ECMA-48, CUP and ED). */
const CLEAR_SCREEN = '\u001b[H\u001b[J';

/** Runs a command, and prints each of its results; the last one decides the exit code. */
async function execute(
  typed: readonly string[],
  environment: Environment,
  isTable: boolean,
  { stdout, ...terminal }: Terminal & { readonly stdout: Sink },
): Promise<number> {
  const command = commandIn(typed);
  const given = readInput(command.input, typed.slice(command.name.split(' ').length));
  const isMissing = command.needsSecret?.(given) === true && given.secret === undefined;
  const input = isMissing ? { ...given, secret: await readSecret(terminal) } : given;
  const platform = new Platform(environment);
  let code = 0;
  try {
    const running = command.run(input, platform);
    const isRepeated = Symbol.asyncIterator in running;
    for await (const result of isRepeated ? running : [running]) {
      const drawn = () => command.draw?.(result) ?? asTable(result, command.columns);
      stdout.write(isTable ? (isRepeated ? CLEAR_SCREEN : '') + drawn() : asJson(result));
      code = command.isFailure?.({ ...result }) === true ? 1 : 0;
    }
    return code;
  } finally {
    await platform.leave();
  }
}

/** The command named by the first words. */
function commandIn(words: readonly string[]): Command {
  const command = commands.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '));
  if (command !== undefined) return command;
  const named = words.filter((word) => !word.startsWith('-')).join(' ');
  const group = commandsAbout(named);
  throw new Error(
    group.length > 0
      ? `"${named}" is not a whole command: ${group.map(({ name }) => name).join(', ')}.`
      : `Unknown command "${named}"; npm run --silent admin -- help lists them.`,
  );
}
