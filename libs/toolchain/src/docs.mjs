import { readFileSync, writeFileSync } from 'node:fs';

/**
 * `npm run docs`: writes the generated pages of docs/ and rules of Prometheus anew. With `--check`, as `npm run check` runs it, it
 * writes nothing, and fails when one is out of date.
 */
const generators = [
  'services/gateway/src/routes/docs/errors/errors-md.ts',
  'libs/contracts/src/limits-md.ts',
  'deploy/admin/src/admin-md.ts',
  'libs/telemetry/src/telemetry-md.ts',
  'deploy/kubernetes/src/prometheus-rule.ts',
];
const isCheck = process.argv.includes('--check');

for (const generator of generators) {
  /** @type {{ generated: { file: URL, content: string } }} */
  const { generated } = await import(new URL(`../../../${generator}`, import.meta.url).href);
  const { file, content } = generated;
  if (!isCheck) writeFileSync(file, content);
  else if (readFileSync(file, 'utf8') !== content) {
    process.stderr.write(`${file.pathname} is not what ${generator} generates: run npm run docs.\n`);
    process.exitCode = 1;
  }
}
