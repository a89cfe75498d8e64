import { localDirectory } from '@action-platform/local';
import { startWatchers } from './watchers.ts';

const USAGE = `Usage: npm run observe

Runs Prometheus and Alertmanager on the local stack (LOCAL_DIR) with the rules of deploy/observability, until Ctrl-C.
`;

if (process.argv.length > 2) {
  process.stdout.write(USAGE);
  process.exit();
}
const { prometheus, alertmanager, stop } = await startWatchers(process.env);
process.stdout.write(
  `Prometheus: ${prometheus}/alerts\nAlertmanager: ${alertmanager}\n` +
    `They watch what "npm start" runs in ${localDirectory(process.env).root}. Ctrl-C stops both.\n`,
);
const asked = Promise.withResolvers<void>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => asked.resolve());
await asked.promise;
await stop();
