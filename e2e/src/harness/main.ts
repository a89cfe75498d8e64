/** `npm run e2e -- <suite> --help`: runs a suite of `rows.ts`. Its exit code is 1 after a violation. */
import { findMongod, findNatsServer, optionsText, readOptions } from '@action-platform/toolchain';
import { say } from '../on-a-stack.ts';
import { isInNamespace, runInNamespace } from './platforms/in-namespace.ts';
import { rows } from './rows.ts';

const [name = '', ...args] = process.argv.slice(2);
const suite = rows[name]!;
const all = {
  ...suite.options,
  seed: [String(Date.now() % 1_000_000), 'of the steps of clients, and of random faults'],
  help: [false, 'this text'],
} as const;
const { help, ...values } = readOptions<Record<string, string | boolean>>(args, all);
if (help) {
  say(`npm run e2e -- ${name} [options]\n\n${optionsText(all)}`);
  process.exit();
}
const options = Object.fromEntries(Object.entries(values).map(([option, value]) => [option, String(value)]));
if (suite.isIsolated && !isInNamespace) {
  // The namespace has no network to download them.
  await Promise.all([findMongod(), findNatsServer()]);
  process.exit(await runInNamespace());
}
await suite.run(options, name);
