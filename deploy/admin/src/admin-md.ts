import { commands } from './commands.ts';
import { optionsTable, usageOf } from './help.ts';

/** docs/admin.md: every command with its options, as in `help`. @public `npm run docs` writes it */
export const generated = {
  file: new URL('../../../docs/admin.md', import.meta.url),
  content: [
    '# The admin command',
    '',
    'Operators run `npm run --silent admin -- <command>`. `help` and `help <command>` print the content of this page, which',
    '`npm run docs` writes from the declarations of the commands (`libs/contracts/src/calls/admin`).',
    '',
    'The command acts on the platform that runs here (`LOCAL_DIR`), or with `NATS_URL` and the seed of the bus user `admin` (`NATS_NKEY_SEED` or',
    '`NATS_NKEY_SEED_FILE`) on another one. At a terminal it prints a table, else one JSON object; `--json` and `--table` choose the form. Errors go to',
    'stderr in one line, with exit code 1. An unknown Workspace, user, sender or grant is an error everywhere.',
    '',
    "A holder of the seed is an operator. The services log each command with the name that its operator claims (`OPERATOR_NAME`, or this system's",
    'user and machine), the request id, and the Workspace, user, role, app, grant, sender or bytes of the command.',
    '',
    ...commands.flatMap((command) => [
      `## ${command.name}`,
      '',
      command.summary,
      '',
      '```',
      usageOf(command),
      '```',
      '',
      ...optionsTable(command),
    ]),
  ].join('\n'),
};
