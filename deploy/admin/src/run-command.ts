import { parseArgs } from 'node:util';
import type { CommandTools } from './command.ts';
import { commands } from './commands.ts';

/** Runs the command that the arguments name; an error says in one line what is wrong. */
export async function runCommand(args: readonly string[], tools: CommandTools): Promise<object> {
  const command = commands.find(({ name }) => name === args.slice(0, name.split(' ').length).join(' '));
  if (command === undefined) throw new Error(help());
  const rest = args.slice(command.name.split(' ').length);
  const { values } = parseArgs({ args: [...rest], options: { ...command.options }, strict: true });
  return await command.run(values, tools);
}

function help(): string {
  return [
    'Usage: npm run --silent admin -- <command>',
    ...commands.map(({ name, usage }) => `  ${name} ${usage}`),
  ].join('\n');
}
