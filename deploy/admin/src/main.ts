import { readFileSync } from 'node:fs';
import type { Bus } from '@action-platform/bus';
import { connectOperator, localDirectory, type OperatorAccess, readStack } from '@action-platform/local';
import { commands } from './command.ts';
import { helpOf, overview } from './help.ts';
import { readInput } from './options.ts';

const directory = localDirectory(process.env);
let bus: Bus | undefined;

try {
  process.stdout.write(await answer(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await bus?.drain();
}

/** Does what was typed, and returns what to print. */
async function answer(args: readonly string[]): Promise<string> {
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
  return `${JSON.stringify(await command.run(input, { connect, directory }))}\n`;
}

async function connect(): Promise<Bus> {
  bus = await connectOperator(operatorAccess(process.env) ?? readStack(directory));
  return bus;
}

/** How to reach a platform that is not the local one. Half of it is a mistake, and must not end at the local one. */
function operatorAccess(environment: NodeJS.ProcessEnv): OperatorAccess | undefined {
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
