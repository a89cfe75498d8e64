import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * `npm run check:size`: prints how many lines each area of the repository has, code apart from tests, and its lines of code without
 * blank lines and comments (`bare`). The command counts the files that git tracks; images, and generated files (`.gitattributes`), do not
 * count.
 */

/** The areas, by the beginning of a path; the first that fits counts. */
const areas = [
  ...`
  libs/telemetry libs/bus libs/contracts libs/service-host libs/json libs/toolchain libs/local-servers
  libs/deployment libs services/gateway/src/http services/gateway services/grants services/record-store services/mail
  services/procedures services/knowledge services/events services/audit services/custom-operations deploy/local deploy/admin
  deploy/observability deploy/kubernetes deploy bench e2e docs`
    .trim()
    .split(/\s+/),
  '',
];
const counted = /\.(ts|mjs|cjs|js|css|json|ya?ml|md|sh)$|(^|\/)Dockerfile$|^\.ci\/run$/;
const isTest = /\.(test|check)\.ts$|\/src\/(test|test-support)\/|^e2e\/|\/rules-tests\/|^libs\/testing\//;

/** @type {Map<string, { code: number, bare: number, tests: number, prose: number }>} */
const sizes = new Map();
const written = ':(exclude,attr:linguist-generated)';
for (const file of execFileSync('git', ['ls-files', written], { encoding: 'utf8' }).trim().split('\n')) {
  if (!counted.test(file)) continue;
  const area = areas.find((beginning) => file.startsWith(beginning === '' ? '' : `${beginning}/`)) ?? '';
  const size = sizes.get(area) ?? { code: 0, bare: 0, tests: 0, prose: 0 };
  sizes.set(area, size);
  const kind = file.endsWith('.md') ? 'prose' : isTest.test(file) ? 'tests' : 'code';
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  size[kind] += lines.length;
  if (kind === 'code') size.bare += lines.filter(isBare).length;
}

const rows = areas.flatMap((area) => {
  const size = sizes.get(area);
  return size === undefined ? [] : [[area || 'the root', size.code, size.bare, size.tests, size.prose]];
});
/** @param {number} column */
const total = (column) => rows.reduce((sum, row) => sum + Number(row[column]), 0);
for (const row of [
  ['lines', 'code', 'bare', 'tests', 'prose'],
  ...rows,
  ['in all', ...[1, 2, 3, 4].map(total)],
]) {
  const [name, ...numbers] = row.map(String);
  process.stdout.write(`${name?.padEnd(28)}${numbers.map((number) => number.padStart(8)).join('')}\n`);
}

/**
 * Whether a line holds more than a comment. The formatter begins every line of a block comment with an asterisk.
 *
 * @param {string} line
 */
function isBare(line) {
  return !/^\s*($|\/\/|\/?\*|#)/.test(line);
}
