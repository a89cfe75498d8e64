import { execFileSync } from 'node:child_process';

/** `npm run docs`: writes the generated pages of docs/ and rules of Prometheus anew. A test of each fails while it is out of date. */
const generators = [
  'services/gateway/src/routes/docs/errors/errors-md.ts',
  'libs/contracts/src/limits-md.ts',
  'deploy/admin/src/admin-md.ts',
  'libs/telemetry/src/telemetry-md.ts',
  'deploy/kubernetes/src/prometheus-rule.ts',
];
for (const generator of generators) execFileSync(process.execPath, [generator], { stdio: 'inherit' });
