import { readFileSync } from 'node:fs';
import type { Bus } from '@action-platform/bus';
import { connectOperator, localDirectory, type OperatorAccess, readStack } from '@action-platform/local';
import { commands, type Dependencies } from './command.ts';
import { helpOf, overview } from './help.ts';
import { readInput } from './options.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where text is written to, such as `process.stdout`. */
interface Sink {
  write(text: string): unknown;
}

/**
 * Does what was typed after `npm run admin --`: writes its answer to `stdout`, or one line to `stderr` that says why not.
 *
 * @returns the exit code
 */
export async function admin(
  args: readonly string[],
  environment: Environment,
  { stdout, stderr }: { readonly stdout: Sink; readonly stderr: Sink },
): Promise<number> {
  const directory = localDirectory(environment);
  let bus: Bus | undefined;
  const connect = async (): Promise<Bus> => {
    bus = await connectOperator(operatorAccess(environment) ?? readStack(directory));
    return bus;
  };
  try {
    stdout.write(await answer(args, { connect, directory }));
    return 0;
  } catch (error) {
    stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  } finally {
    await bus?.drain();
  }
}

/** Does what was typed, and returns what to print. */
async function answer(args: readonly string[], dependencies: Dependencies): Promise<string> {
  const wantsHelp = args.length === 0 || args[0] === 'help' || args.includes('--help');
  const words = (args[0] === 'help' ? args.slice(1) : args).filter((word) => !wantsHelp || word !== '--help');
  if (wantsHelp && words.length === 0) return overview(commands);
  const command = commands.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '));
  if (command === undefined) {
    const typed = words.filter((word) => !word.startsWith('-')).join(' ');
    throw new Error(`There is no command "${typed}"; npm run --silent admin -- help lists them.`);
  }
  if (wantsHelp) return helpOf(command);
  const input = readInput(command.input, words.slice(command.name.split(' ').length));
  return `${JSON.stringify(await command.run(input, dependencies))}\n`;
}

/** How to reach a platform that is not the local one. Half of it is a mistake, and must not end at the local one. */
function operatorAccess(environment: Environment): OperatorAccess | undefined {
  const { NATS_URL, NATS_NKEY_SEED_FILE: file } = environment;
  const seed = environment.NATS_NKEY_SEED || (file && readFileSync(file, 'utf8').trim());
  if (NATS_URL && seed) return { nats_url: NATS_URL, admin_seed: seed };
  if (NATS_URL) {
    throw new Error(
      'NATS_URL needs NATS_NKEY_SEED or NATS_NKEY_SEED_FILE, the seed of its bus user admin; without NATS_URL the local platform is meant.',
    );
  }
  if (seed) throw new Error('NATS_NKEY_SEED needs NATS_URL; without both the local platform is meant.');
  return undefined;
}
