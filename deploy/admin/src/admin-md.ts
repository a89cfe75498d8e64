import { writeFileSync } from 'node:fs';
import { commands } from './commands.ts';
import { optionsTable, usageOf } from './help.ts';

/** docs/admin.md: every command with its options, as in `help`. */
export const adminMd = {
  file: new URL('../../../docs/admin.md', import.meta.url),
  content: [
    '# The admin command',
    '',
    'What operators do: `npm run --silent admin -- <command>`. `help` and `help <command>` tell the same as this page, which',
    '`npm run docs` writes from the declarations of the commands (`libs/contracts/src/calls/admin`).',
    '',
    'It means the platform that runs here (`LOCAL_DIR`), or with `NATS_URL` and the seed of the bus user `admin` (`NATS_NKEY_SEED` or',
    '`NATS_NKEY_SEED_FILE`) another one. At a terminal it prints a table, else one JSON object; `--json` and `--table` say which. Errors go to',
    'stderr in one line, with exit code 1. An unknown Workspace, user, sender or grant is an error everywhere.',
    '',
    "Whoever has the seed is an operator. The services log each command with who says that they gave it (`OPERATOR_NAME`, or this system's",
    'user and machine), the request id, and the Workspace, user, role, app, grant, sender or bytes that it is about.',
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

if (import.meta.main) writeFileSync(adminMd.file, adminMd.content);
