/** `npm run e2e -- <suite> --help`: runs a suite of `rows.ts`. Its exit code is 1 after a violation. */
import { findMongod, findNatsServer, readCommandLine } from '@action-platform/toolchain';
import { isInNamespace, runInNamespace } from './platforms/in-namespace.ts';
import { rows } from './rows.ts';

const [name = '', ...args] = process.argv.slice(2);
const suite = rows[name]!;
const all = {
  ...suite.options,
  seed: [String(Date.now() % 1_000_000), 'of the steps of clients, and of random faults'],
} as const;
const values = readCommandLine<Record<string, string | boolean>>(`npm run e2e -- ${name}`, all, args);
const options = Object.fromEntries(Object.entries(values).map(([option, value]) => [option, String(value)]));
if (suite.isIsolated && !isInNamespace) {
  // The namespace has no network to download them.
  await Promise.all([findMongod(), findNatsServer()]);
  process.exit(await runInNamespace());
}
await suite.run(options, name);
