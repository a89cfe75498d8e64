import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * `npm run docs`: writes the generated pages of docs/, manifests of Kubernetes and the list of indexes anew. With `--check`, as `npm run
 * check` runs it, the command writes nothing, and fails when a file is out of date.
 */
const generators = [
  'services/gateway/src/routes/docs/errors/errors-md.ts',
  'libs/contracts/src/limits-md.ts',
  'deploy/admin/src/admin-md.ts',
  'libs/telemetry/src/telemetry-md.ts',
  'e2e/src/staleness/green-runs.ts',
  'deploy/kubernetes/src/generate.ts',
  // Each generator reads the pages that the generator before has written.
  'deploy/kubernetes/src/chart/chart.ts',
  'e2e/src/versions/declared-indexes.ts',
];
const isCheck = process.argv.includes('--check');

for (const generator of generators) {
  const { generated } = await import(new URL(`../../../${generator}`, import.meta.url).href);
  /** @type {{ file: URL, content: string }[]} */
  const files = [generated].flat();
  for (const { file, content } of files) {
    if (!isCheck) {
      mkdirSync(new URL('.', file), { recursive: true });
      writeFileSync(file, content);
    } else if (!existsSync(file) || readFileSync(file, 'utf8') !== content) {
      process.stderr.write(`${file.pathname} is not what ${generator} generates: run npm run docs.\n`);
      process.exitCode = 1;
    }
  }
}
