import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Suite } from '../suites.ts';

const IMPORT = /(?:\bfrom|\bimport)[ (]+'([^']+)'|new URL\('([^']+)', import\.meta\.url\)/g;
const MODULE = /\.(ts|mjs|js)$/;
/** The tests of a package, which a suite reaches only by their imports. */
const OF_TESTS = /\.(test|check|suite)\.ts$|\/test-support\//;

/** The dependencies and their locked versions, on which every suite rests. */
export const OF_ALL: readonly string[] = ['package.json', 'package-lock.json'];

/** The files of a checkout. */
interface Checkout {
  readonly root: string;
  /** Their paths from the root. */
  readonly files: readonly string[];
}

/**
 * The files that a suite rests on: its own modules with those that they import, and the packages and pages that it holds; of each package
 * also those that it depends on; and the lock of all dependencies.
 */
export function sourcesOf(
  suite: Pick<Suite, 'run' | 'tests' | 'holds'>,
  { root, files }: Checkout,
): Set<string> {
  const all = new Set(files);
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const packages = packagesIn(files, read);
  const found = new Set(OF_ALL.filter((file) => all.has(file)));
  const visit = (file: string): void => {
    if (!all.has(file) || found.has(file)) return;
    found.add(file);
    if (!MODULE.test(file)) return;
    for (const [, module, url] of read(file).matchAll(IMPORT)) visitImport(dirname(file), (module ?? url)!);
  };
  const visitImport = (folder: string, name: string): void => {
    const [scope, rest] = name.split('/');
    if (name.startsWith('.') || !name.includes('/')) visit(join(folder, name));
    else visitPackage(packages.get(`${scope}/${rest}`));
  };
  const visitPackage = (folder: string | undefined): void => {
    const declaration = `${folder}/package.json`;
    if (folder === undefined || found.has(declaration)) return;
    found.add(declaration);
    for (const file of files) if (file.startsWith(`${folder}/`) && !OF_TESTS.test(file)) found.add(file);
    const { dependencies = {} } = JSON.parse(read(declaration)) as { dependencies?: object };
    for (const name of Object.keys(dependencies)) visitPackage(packages.get(name));
  };
  for (const file of entriesOf(suite, files)) visit(file);
  for (const held of suite.holds) {
    if (all.has(`${held}/package.json`)) visitPackage(held);
    else for (const file of files) if (file === held || file.startsWith(`${held}/`)) visit(file);
  }
  return found;
}

/** The modules with which a suite begins: those among its arguments, and the tests that its patterns for Jest name. */
function entriesOf({ run, tests = [] }: Pick<Suite, 'run' | 'tests'>, files: readonly string[]): string[] {
  const isTested = run.some((argument) => argument.endsWith('/jest.js'))
    ? (file: string) => file.endsWith('.check.ts') && tests.some((pattern) => new RegExp(pattern).test(file))
    : () => false;
  return files.filter((file) => run.includes(file) || isTested(file));
}

/** The folders of the packages of a checkout, by name. */
function packagesIn(files: readonly string[], read: (file: string) => string): ReadonlyMap<string, string> {
  const declarations = files.filter((file) => file.endsWith('/package.json'));
  return new Map(
    declarations.map((file) => [(JSON.parse(read(file)) as { name: string }).name, dirname(file)]),
  );
}
