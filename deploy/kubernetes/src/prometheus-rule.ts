import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';

const rules = fileURLToPath(new URL('../../observability/prometheus/rules/', import.meta.url));
/** The file that `npm run docs` writes. */
export const ruleFile = fileURLToPath(
  new URL('../components/prometheus-operator/rules.yaml', import.meta.url),
);

/** The rules of `deploy/observability` as an object of the Prometheus Operator. */
export function prometheusRule(): string {
  const groups = ['objectives', 'alerts'].flatMap(
    (name) => (parse(readFileSync(`${rules}${name}.yaml`, 'utf8')) as { groups: object[] }).groups,
  );
  const rule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'action-platform' },
    spec: { groups },
  };
  return `# Generated from deploy/observability/prometheus/rules: run \`npm run docs\`.\n${stringify(rule, { lineWidth: 0 })}`;
}

if (import.meta.main) writeFileSync(ruleFile, prometheusRule());
