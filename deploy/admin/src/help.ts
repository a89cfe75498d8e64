import type { Command } from './command.ts';
import { type Option, optionsOf } from './options.ts';

const PROGRAM = 'npm run --silent admin --';

/** The list of commands. */
export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    `Usage: ${PROGRAM} <command> [options]`,
    '',
    'Manages the platform that runs here (LOCAL_DIR), or the one at NATS_URL as the operator whose NATS_NKEY_SEED is given.',
    'Prints a table at a terminal and else one JSON object; --json and --table say which. Errors go to stderr, with exit code 1.',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    `${PROGRAM} help <command> explains its options.`,
    '',
  ].join('\n');
}

/** The help of one command. */
export function helpOf({ name, summary, input }: Command): string {
  const options = optionsOf(input);
  const width = Math.max(0, ...options.map((option) => typed(option).length));
  return [
    `Usage: ${PROGRAM} ${usageOf({ name, input })}`,
    '',
    summary,
    '',
    ...options.map((option) => `  ${typed(option).padEnd(width)}  ${described(option)}`),
    '',
  ].join('\n');
}

/** The usage of a command: `member list --workspace WORKSPACE`. */
function usageOf({ name, input }: Pick<Command, 'name' | 'input'>): string {
  return [name, ...optionsOf(input).map(inUsage)].join(' ');
}

/**
 * The options of a command as a Markdown list; empty for a command without options. Those without anything new to say are in one item.
 *
 * @param said the descriptions so far, to which it adds
 */
export function optionsList({ input }: Pick<Command, 'input'>, said: Set<string>): string[] {
  const { known = [], added = [] } = Object.groupBy(optionsOf(input), (option) =>
    said.has(itemOf(option)) ? 'known' : 'added',
  );
  for (const option of added) said.add(itemOf(option));
  const repeated = known.map((option) => `\`${inUsage(option)}\``).join(', ');
  const items = [
    ...(repeated === '' ? [] : [`- ${repeated}`]),
    ...added.map((option) => `- \`${inUsage(option)}\`: ${described(option)}`),
  ];
  return items.length === 0 ? [] : [...items, ''];
}

/** An option with its description. */
function itemOf(option: Option): string {
  return `${typed(option)}: ${described(option)}`;
}

/** An option and the kind of value it takes: `--role owner|member`. */
function typed({ name, isFlag, isWord, isNumber, words }: Option): string {
  if (isWord) return name.toUpperCase();
  if (isFlag) return `--${name}`;
  return `--${name} ${words?.join('|') ?? (isNumber ? 'N' : name.toUpperCase())}`;
}

function inUsage(option: Option): string {
  return `${option.isRequired ? typed(option) : `[${typed(option)}]`}${option.repeats ? '…' : ''}`;
}

function described({ description, fallback }: Option): string {
  return fallback === undefined ? description : `${description} Default: ${fallback}.`;
}
