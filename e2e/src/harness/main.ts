/** `npm run e2e -- <suite> --help`: runs a suite of `rows.ts`. Its exit code is 1 after a violation. */
import { parseArgs } from 'node:util';
import { findMongod, findNatsServer } from '@action-platform/toolchain';
import { say } from '../on-a-stack.ts';
import { isInNamespace, runInNamespace } from './platforms/in-namespace.ts';
import { rows } from './rows.ts';

const [name = '', ...args] = process.argv.slice(2);
const suite = rows[name]!;
const all = {
  ...suite.options,
  seed: [String(Date.now() % 1_000_000), 'of the steps of clients, and of random faults'],
  help: ['false', 'prints this'],
} as const;
const isSwitch = (value: string) => value === 'false';
const { values }: { values: Record<string, unknown> } = parseArgs({
  args,
  options: Object.fromEntries(
    Object.entries(all).map(([option, [value]]) =>
      isSwitch(value)
        ? [option, { type: 'boolean', default: false } as const]
        : [option, { type: 'string', default: value } as const],
    ),
  ),
});
if (values.help) {
  const lines = Object.entries(all).map(([option, [value, explains]]) => {
    const shown = isSwitch(value) || option === 'seed' ? '' : value;
    return `  ${`--${option} ${shown}`.padEnd(18)} ${explains}`.trimEnd();
  });
  say([`npm run e2e -- ${name} [options]`, '', ...lines].join('\n'));
  process.exit();
}
const options = Object.fromEntries(Object.entries(values).map(([option, value]) => [option, String(value)]));
if (suite.isIsolated && !isInNamespace) {
  // The namespace has no network to download them.
  await Promise.all([findMongod(), findNatsServer()]);
  process.exit(await runInNamespace());
}
await suite.run(options, name);
