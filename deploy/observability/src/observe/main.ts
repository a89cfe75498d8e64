import { join } from 'node:path';
import { localDirectory } from '@action-platform/local';
import { startAlertmanager } from './programs.ts';
import { startPrometheus } from './prometheus.ts';

const USAGE = `Usage: npm run observe

Runs Prometheus and Alertmanager on the local stack (LOCAL_DIR) with the rules of deploy/observability, until Ctrl-C.
`;

if (process.argv.length > 2) {
  process.stdout.write(USAGE);
  process.exit();
}
const { root } = localDirectory(process.env);
const data = join(root, 'observe');
const alertmanager = await startAlertmanager(data);
const host = new URL(alertmanager.url).host;
const prometheus = await startPrometheus(process.env, { data, alertmanager: host }).catch(async (error) => {
  await alertmanager.stop();
  throw error;
});
process.stdout.write(
  `Prometheus: ${prometheus.url}/alerts\nAlertmanager: ${alertmanager.url}\nThey watch the stack of npm start in ${root}. Ctrl-C stops both.\n`,
);
const signalled = Promise.withResolvers<void>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => signalled.resolve());
await signalled.promise;
await prometheus.stop();
await alertmanager.stop();
