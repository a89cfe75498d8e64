import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';

const rules = new URL('../../observability/prometheus/rules/', import.meta.url);

const groups = ['objectives', 'alerts'].flatMap(
  (name) => (parse(readFileSync(new URL(`${name}.yaml`, rules), 'utf8')) as { groups: object[] }).groups,
);
const rule = {
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: 'action-platform' },
  spec: { groups },
};

/** The rules of `deploy/observability` as an object of the Prometheus Operator. @public `npm run docs` writes it */
export const generated = {
  file: new URL('../components/prometheus-operator/rules.yaml', import.meta.url),
  content: `# Generated from deploy/observability/prometheus/rules: run \`npm run docs\`.\n${stringify(rule, { lineWidth: 0 })}`,
};
