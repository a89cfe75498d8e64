/** Attacks the platform and reports whether it keeps serving others: `npm run bench -- siege --help`. */
import { measureScenarios } from '../measure-scenarios.ts';
import { startBesieged } from './besieged.ts';
import { readOptions, usage } from './options.ts';
import { scenarios } from './scenarios/all.ts';

await measureScenarios({
  name: 'siege',
  usage,
  readOptions,
  scenarios,
  run: async (scenario, options, { folder, tell, stops }) => {
    const besieged = await startBesieged(options.platform, folder, tell, stops);
    const failed = besieged.platform.processes.map((each) => each.failed);
    return await Promise.race([scenario.run(besieged, options), ...failed]);
  },
});
