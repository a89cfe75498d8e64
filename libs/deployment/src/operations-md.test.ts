import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type Chore, choresAfter } from './chores.ts';
import { rotatable } from './deployment.ts';

/** How the page calls what is to be done. */
const words: readonly (readonly [readonly Chore[], string])[] = [
  [['reload-bus', 'reload-databases'], 'servers read again'],
  [['reload-bus'], 'SIGHUP to each nats-server'],
  [['database-users'], '`deployment database-users`'],
  [['restart'], 'restart the parts'],
];

function told(chores: readonly Chore[]): string {
  let text = chores.join('; ');
  for (const [done, called] of words) text = text.replace(done.join('; '), called);
  return text;
}

test('docs/operations.md tells what each step of a rotation takes', () => {
  const steps = (['add', 'use', 'remove'] as const).map((step, index) => {
    const cells = rotatable.map((what) => told(choresAfter[what][step]));
    return `| ${[`${index + 1}. ${step}`, ...cells].join(' | ')} |`;
  });
  const table = [
    `| ${['Step', ...rotatable.map((what) => `\`${what}\``)].join(' | ')} |`,
    '|---|---|---|---|',
    ...steps,
  ];
  expect(readFileSync('docs/operations.md', 'utf8')).toContain(table.join('\n'));
});
