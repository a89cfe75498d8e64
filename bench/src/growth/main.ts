/** Measures whether the platform stays as fast when its data grows: `npm run bench -- growth --help`. */
import { measureScenarios } from '../measure-scenarios.ts';
import { readOptions, usage } from './options.ts';
import { startPair } from './pair.ts';
import { findingOf } from './report.ts';
import { scenarios } from './scenarios/all.ts';

await measureScenarios({
  name: 'growth',
  usage,
  readOptions,
  scenarios,
  run: async (scenario, options, { folder, tell, stops }) => {
    const pair = await startPair(options, folder, tell, stops);
    const processes = [pair.small, pair.grown].flatMap(({ contender }) => contender.processes);
    const failed = processes.map((each) => each.failed);
    return findingOf(await Promise.race([scenario.run(pair, options), ...failed]));
  },
});
