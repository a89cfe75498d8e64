import { commands } from './commands.ts';
import { optionsList } from './help.ts';

/** The options that an earlier command describes. */
const described = new Set<string>();

/** docs/admin.md: every command with its options, as in `help`. @public `npm run docs` writes it */
export const generated = {
  file: new URL('../../../docs/admin.md', import.meta.url),
  content: [
    '# The admin command',
    '',
    'Operators run `npm run --silent admin -- <command>`; `help` and `help <command>` print this page. An option in brackets may',
    'be left out, one with `…` repeated; one without a description is that of an earlier command.',
    '',
    'The command acts on the platform that runs here (`LOCAL_DIR`), or with `NATS_URL` and the seed of the bus user `admin`',
    '(`NATS_NKEY_SEED` or `NATS_NKEY_SEED_FILE`) on another one. At a terminal it prints a table, else one JSON object; `--json`',
    'and `--table` choose the form. Errors go to stderr in one line, with exit code 1.',
    '',
    'A holder of the seed is an operator. The services log each command with the name that its operator claims (`OPERATOR_NAME`,',
    'by default the user and machine), the request id, and what it is about.',
    '',
    ...commands.flatMap((command) => [
      `## ${command.name}`,
      '',
      command.summary,
      '',
      ...optionsList(command, described),
    ]),
  ].join('\n'),
};
