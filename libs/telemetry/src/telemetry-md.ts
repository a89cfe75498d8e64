import { readFileSync } from 'node:fs';
import { metricsDeclared } from './metrics/declared.ts';

const file = new URL('../../../docs/telemetry.md', import.meta.url);
const metrics = Object.entries(metricsDeclared);
/** The suffix of a metric's series in Prometheus. */
const series = { duration: '_bucket', size: '_bucket', count: '_total', gauge: '' } as const;
/** The rows of the table of metrics. */
const ROWS = /(?<=^\| Metric \|.*\n\|-.*\n)(?:\|.*\n)*/m;

/** docs/telemetry.md, with the table of metrics made from their declarations. @public `npm run docs` writes it */
export const generated = {
  file,
  content: readFileSync(file, 'utf8').replace(ROWS, () => metrics.map(rowOf).join('')),
};

function rowOf([name, { kind, unit, description, attributes }]: (typeof metrics)[number]): string {
  const attributeNames = attributes.map((attribute) => `\`${attribute}\``).join(', ');
  const suffix = series[kind] && ` \`${series[kind]}\``;
  return `| \`${name}\`${suffix} | ${attributeNames} | ${description} (\`${unit}\`) |\n`;
}
