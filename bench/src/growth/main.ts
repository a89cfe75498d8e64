/** Measures whether the platform stays as fast when its data grows: `npm run bench -- growth --help`. */
import { chosenOf } from '@action-platform/toolchain';
import { startPlatform } from '../contenders/platform.ts';
import { startLoadGenerator } from '../load/load.ts';
import { measureRounds } from '../measure/rounds.ts';
import { summarize } from '../measure/summary.ts';
import { tableText } from '../measure/text.ts';
import { tell } from '../output.ts';
import { checkout, runCommand, runScenarios } from '../run-command.ts';
import { callsOfHistory } from './history.ts';
import { sideOf } from './pair.ts';
import { callsOfRecords } from './records.ts';
import { growthRequirements } from './requirements.ts';
import type { GrowthScenario } from './scenario.ts';
import { callsOfWorkspaces } from './workspaces.ts';

const scenarios: Readonly<Record<string, GrowthScenario>> = {
  records: { what: 'Records of a Collection', small: 10_000, grown: 'records', fill: callsOfRecords },
  history: { what: 'revisions of Records', small: 100, grown: 'revisions', fill: callsOfHistory },
  'few-workspaces': {
    what: 'Workspaces that call at the same time',
    small: 1,
    grown: 64,
    fill: callsOfWorkspaces,
  },
  workspaces: {
    what: 'Workspaces that call at the same time',
    small: 64,
    grown: 'workspaces',
    fill: callsOfWorkspaces,
  },
};

const CLIENTS = 64;

await runCommand({
  name: 'growth',
  usage: 'npm run bench -- growth',
  options: {
    only: ['', `scenarios to run: ${Object.keys(scenarios).join(', ')}`],
    rounds: [3, 'how often everything is measured, in turns'],
    seconds: [3, 'length of one measurement; the unmeasured calls before take a third of it'],
    records: [5_000_000, 'how many Records a Collection grows to'],
    revisions: [10_000, 'how many revisions a Record grows to'],
    workspaces: [10_000, 'how many Workspaces there are'],
    cache: [4, 'the cache of mongod, in GB'],
    platform: [checkout, 'checkout of the platform'],
  },
  run: (options, bench) =>
    runScenarios(chosenOf(options.only, Object.keys(scenarios)), bench, async (name, own) => {
      const { what, small, grown, fill } = scenarios[name]!;
      const size = typeof grown === 'number' ? grown : options[grown];
      const platform = (side: string) => startPlatform(side, options.platform, own);
      const sides = [await platform('grown'), await platform('small')] as const;
      const filled = async (index: 0 | 1, size: number) => {
        tell(`  filling ${sides[index].name}: ${size} ${what} …`);
        return await fill(await sideOf(sides[index], options.cache), size);
      };
      const [many, few] = [await filled(0, size), await filled(1, small)];
      // A checkpoint of the filled-in data would slow the measurement.
      for (const { mongo } of sides) await mongo.db('admin').command({ fsync: 1 });
      const comparisons = Object.entries(many).map(([call, { clients = CLIENTS, ...large }]) => ({
        what: `${call}, ${size} ${what} beside ${small}`,
        clients,
        ...(large.warmUpSeconds !== undefined && { warmUpSeconds: large.warmUpSeconds }),
        entries: [
          { contender: sides[0], requests: [large.requests], perCall: large.perCall ?? 1 },
          { contender: sides[1], requests: [few[call]!.requests], perCall: few[call]!.perCall ?? 1 },
        ],
      }));
      const rounds = { ...options, warmUpSeconds: options.seconds / 3 };
      const generator = startLoadGenerator(own.stops);
      const measurements = await measureRounds(comparisons, rounds, generator);
      const tables = summarize(measurements);
      const text = tables.map(tableText).join('\n');
      return { requirements: growthRequirements(tables), text, measured: { tables, measurements } };
    }),
});
