import { writeFileSync } from 'node:fs';
import { errorCatalogue, errorsOf, operations } from '@action-platform/contracts';

/** The page with the table. */
export const TABLE = new URL('../../../docs/answers.md', import.meta.url);

const TESTS = 'e2e/src/answers/answers.stack.test.ts';
const FAILURES = 'services/gateway/src/test/unanswered-calls.service.test.ts';

/** Every answer of every operation, with the test that shows it. */
export function answersTable(): string {
  const rows = [...operations.values()].flatMap((operation) => [
    `| \`${operation.id}\` | 200 | | \`${operation.id} › 200\` |`,
    ...errorsOf(operation)
      .map((code) => ({ code, status: errorCatalogue[code].status }))
      .toSorted((a, b) => a.status - b.status)
      .map(({ code, status }) => {
        const shownBy = status >= 500 ? `every operation › ${code}` : `${operation.id} › ${code}`;
        return `| \`${operation.id}\` | ${status} | \`${code}\` | \`${shownBy}\` |`;
      }),
  ]);
  return [
    '# Every answer of every operation',
    '',
    `Each row is shown by the test it names: the tests of \`every operation\` are in \`${FAILURES}\`,`,
    `with services that hang, and all others on a running platform in \`${TESTS}\`. That file fails`,
    'when a declared answer has no test. `npm run docs` writes this page anew.',
    '',
    '| Operation | Status | Code | Shown by |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

if (import.meta.main) writeFileSync(TABLE, answersTable());
