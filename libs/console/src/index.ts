import { globSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';
import { iconSprite } from './icons.ts';

const browser = new URL('../browser/', import.meta.url);
/** The files of a folder and its folders that a pattern names, with slashes on every system. */
const namesIn = (folder: URL, pattern: string) =>
  globSync(pattern, { cwd: folder }).map((name) => name.replaceAll('\\', '/'));
/** The style sheets in one, as the first view takes them all: one request, and compressed together. */
const styles = namesIn(browser, 'styles/*.css')
  .toSorted()
  .map((name) => readFileSync(new URL(name, browser), 'utf8'))
  .join('\n');

const packageOf = (name: string, from: string | URL) => pathToFileURL(findPackageJSON(name, from)!);
const lit = packageOf('lit', import.meta.url);
/** The modules of packages: the specifier of an import, and where its file is. */
const packaged = [
  // The file of lit has no more for a browser than this one, and another request.
  ['lit', 'lit-element.js', new URL('lit-element.js', packageOf('lit-element', lit))],
  ['lit-html', 'lit-html.js', new URL('lit-html.js', packageOf('lit-html', lit))],
  [
    '@lit/reactive-element',
    'reactive-element.js',
    new URL('reactive-element.js', packageOf('@lit/reactive-element', lit)),
  ],
  ['./css-tag.js', 'css-tag.js', new URL('css-tag.js', packageOf('@lit/reactive-element', lit))],
  ['oauth4webapi', 'oauth4webapi.js', new URL('build/index.js', packageOf('oauth4webapi', import.meta.url))],
] as const;

const yaml = new URL('browser/dist/', packageOf('yaml', import.meta.url));

/**
 * The style sheet, modules and icons of the console, by the names under which the gateway serves them: relative imports find each other.
 */
export const consoleFiles: ReadonlyMap<string, URL | string> = new Map<string, URL | string>([
  ...namesIn(browser, '**/*.js').map((name) => [name, new URL(name, browser)] as const),
  ...packaged.map(([, name, url]) => [name, url] as const),
  ...namesIn(yaml, '**/*.js').map((name) => [`yaml/${name}`, new URL(name, yaml)] as const),
  ['console.css', styles],
  ['icons.svg', iconSprite()],
]);

/** The names of the modules, by the bare specifiers of imports. */
export const consoleImports: Readonly<Record<string, string>> = Object.fromEntries([
  ...packaged
    .filter(([specifier]) => !specifier.startsWith('.'))
    .map(([specifier, name]) => [specifier, name]),
  ['yaml', 'yaml/public-api.js'],
]);
