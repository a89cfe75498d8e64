/** Attacks the platform and reports whether it keeps serving others: `npm run bench -- siege --help`. */
import { chosenOf } from '@action-platform/toolchain';
import { startPlatform } from '../contenders/platform.ts';
import { checkout, runCommand, runScenarios } from '../run-command.ts';
import { hostileSockets } from './hostile-sockets.ts';
import { mixed } from './mixed.ts';
import { overload } from './overload.ts';

const scenarios = { 'hostile-sockets': hostileSockets, mixed, overload };

/** This checkout, with the memory limit of the shipped containers. */
const AS_SHIPPED = `${checkout},NODE_OPTIONS=--max-old-space-size=192`;

await runCommand({
  name: 'siege',
  usage: 'npm run bench -- siege',
  options: {
    only: ['', `scenarios to run: ${Object.keys(scenarios).join(', ')}`],
    seconds: [60, 'length of each load'],
    sockets: [2_000, 'hostile sockets of each kind'],
    platform: [AS_SHIPPED, 'checkout of the platform; variables may follow'],
  },
  run: (options, bench) =>
    runScenarios(chosenOf(options.only, Object.keys(scenarios)), bench, async (name, own) => {
      const platform = await startPlatform('platform', options.platform, own);
      const run = scenarios[name as keyof typeof scenarios](platform, options, own);
      return await Promise.race([run, platform.failed]);
    }),
});
