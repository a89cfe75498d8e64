import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { rotatable } from './deployment.ts';
import { type RotationAction, rotationActions } from './rotation-actions.ts';

/** The terms of the page for actions. */
const texts: readonly (readonly [readonly RotationAction[], string])[] = [
  [['reload-bus', 'reload-databases'], 'reload the servers'],
  [['reload-bus'], 'reload the nats-servers'],
  [['database-users'], '`deployment database-users`'],
  [['restart'], 'restart gateways and services'],
];

function textOf(actions: readonly RotationAction[]): string {
  let text = actions.join('; ');
  for (const [done, words] of texts) text = text.replace(done.join('; '), words);
  return text;
}

test('docs/operations.md lists the actions of each step of a rotation', () => {
  const steps = (['add', 'use', 'remove'] as const).map((step, index) => {
    const cells = rotatable.map((what) => textOf(rotationActions[what][step]));
    return `| ${[`${index + 1}. ${step}`, ...cells].join(' | ')} |`;
  });
  const table = [
    `| ${['Step', ...rotatable.map((what) => `\`${what}\``)].join(' | ')} |`,
    '|---|---|---|---|',
    ...steps,
  ];
  expect(readFileSync('docs/operations.md', 'utf8')).toContain(table.join('\n'));
});
