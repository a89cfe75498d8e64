import { startWatchers } from './watchers.ts';

/** Runs Prometheus and Alertmanager beside the local stack until Ctrl-C. */
const { prometheus, alertmanager, stop } = await startWatchers(process.env);
process.stdout.write(`Prometheus: ${prometheus}/alerts\nAlertmanager: ${alertmanager}\nCtrl-C stops both.\n`);
const asked = Promise.withResolvers<void>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => asked.resolve());
await asked.promise;
await stop();
