import { fileURLToPath } from 'node:url';
import { cruise } from 'dependency-cruiser';
import extractConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';

/**
 * `npm run check -- arrows [package …]`: draws which folder of a package imports which, as a Mermaid flowchart for each package named
 * on the command line. The command fails when the arrows of any package form a circle. In every folder, its folders and the files beside
 * them are compared; tests are left out. dependency-cruiser's own rule for folders cannot tell `src/service.ts`, which imports every
 * folder, from `src/dependencies.ts`, which they import: to it both are `src`.
 */

/** @typedef {Map<string, Map<string, string>>} Arrows by the place they lead from and to, each with an import that makes it */

const isTest = /\.(test|check)\.ts$|\/src\/(test|test-support)\//;

const options = await extractConfig(
  fileURLToPath(new URL('../../../.dependency-cruiser.cjs', import.meta.url)),
);
const { output } = await cruise(['libs', 'services', 'deploy', 'e2e', 'bench'], {
  ...options.options,
  validate: false,
});
if (typeof output === 'string')
  throw new Error('dependency-cruiser returned a report instead of what it found');

/** @type {Map<string, Arrows>} by folder */
const arrowsIn = new Map();
for (const { source, dependencies } of output.modules) {
  if (isTest.test(source)) continue;
  for (const { resolved } of dependencies) {
    if (packageOf(source) === packageOf(resolved)) addArrow(source, resolved);
  }
}

const wanted = process.argv.slice(2);
for (const folder of [...arrowsIn.keys()].toSorted()) {
  const package_ = packageOf(folder);
  const isRoot = [`${package_}/src`, `${package_}/browser`].includes(folder);
  if (isRoot && wanted.includes(package_)) draw(folder);
}

const circles = [...arrowsIn].flatMap(([folder, arrows]) => {
  return circlesOf(arrows).map((circle) => `${folder}: ${circle.join(' → ')}\n${importsOf(arrows, circle)}`);
});
for (const circle of circles) process.stderr.write(`These lead back to where they began, in ${circle}\n`);
process.exitCode = circles.length === 0 ? 0 : 1;

/** @param {string} path */
function packageOf(path) {
  return path
    .split('/')
    .slice(0, /^(e2e|bench)\//.test(path) ? 1 : 2)
    .join('/');
}

/**
 * Adds the arrow between the folders, or files beside them, in which two files part ways.
 *
 * @param {string} from
 * @param {string} to
 */
function addArrow(from, to) {
  const [one, other] = [from.split('/'), to.split('/')];
  const depth = one.findIndex((step, index) => step !== other[index]);
  const folder = one.slice(0, depth).join('/');
  const [start = '', end = ''] = [one[depth], other[depth]];
  const arrows = arrowsIn.get(folder) ?? new Map();
  arrowsIn.set(folder, arrows.set(start, (arrows.get(start) ?? new Map()).set(end, `${from} imports ${to}`)));
}

/** @param {string} folder */
function draw(folder) {
  const lines = [...(arrowsIn.get(folder) ?? [])].flatMap(([from, ends]) =>
    [...ends.keys()].filter((to) => isFolder(from) && isFolder(to)).map((to) => `  ${from} --> ${to}`),
  );
  process.stdout.write(`${[`%% ${folder}`, 'flowchart TD', ...lines.toSorted()].join('\n')}\n\n`);
}

/** @param {string} name */
function isFolder(name) {
  return !/\.[cm]?[jt]s$/.test(name);
}

/**
 * Follows the arrows, each place once, and returns every way back to a place it came through.
 *
 * @param {Arrows} arrows
 * @returns {string[][]} each ends where it begins
 */
function circlesOf(arrows) {
  /** @type {string[][]} */
  const found = [];
  const done = new Set();
  /** @param {string[]} way */
  const walk = (way) => {
    const here = way.at(-1) ?? '';
    for (const next of arrows.get(here)?.keys() ?? []) {
      if (way.includes(next)) found.push([...way.slice(way.indexOf(next)), next]);
      else if (!done.has(next)) walk([...way, next]);
    }
    done.add(here);
  };
  for (const place of arrows.keys()) if (!done.has(place)) walk([place]);
  return found;
}

/**
 * @param {Arrows} arrows
 * @param {readonly string[]} circle
 */
function importsOf(arrows, circle) {
  const steps = circle.slice(1).map((to, index) => `  ${arrows.get(circle[index] ?? '')?.get(to)}`);
  return steps.join('\n');
}
