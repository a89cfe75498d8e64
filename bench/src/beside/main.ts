/** Compares this checkout of the platform with another one, in one run: `npm run bench -- beside --help`. */
import { chosenOf, listOf, positive } from '@action-platform/toolchain';
import { startPlatform } from '../contenders/platform.ts';
import { startLoadGenerator } from '../load/load.ts';
import { measureRounds } from '../measure/rounds.ts';
import { summarize } from '../measure/summary.ts';
import { tableText } from '../measure/text.ts';
import { checkout, runCommand, runScenarios } from '../run-command.ts';
import { atLeastAsFast, comparedCalls, noneFailed } from './compared-calls.ts';

await runCommand({
  name: 'beside',
  usage: 'npm run bench -- beside',
  options: {
    before: ['', 'the other checkout; variables may follow'],
    platform: [checkout, 'this checkout; variables may follow'],
    only: ['', `scenarios to run: ${Object.keys(comparedCalls).join(', ')}`],
    clients: ['1,64', 'calls at the same time'],
    rounds: [6, 'how often everything is measured, in turns'],
    seconds: [4, 'length of one measurement'],
    'warm-up': [1, 'length of the unmeasured calls before it'],
  },
  run: (options, bench) => {
    if (options.before === '') throw new Error('Name the other checkout: --before ../before');
    const counts = listOf(options.clients).map((text) => positive('--clients', text));
    return runScenarios(chosenOf(options.only, Object.keys(comparedCalls)), bench, async (name, own) => {
      const { atLeast, clients = counts, prepare } = comparedCalls[name]!;
      const [now, before] = [
        await startPlatform('now', options.platform, own),
        await startPlatform('before', options.before, own),
      ];
      const entries = [
        { contender: now, ...(await prepare(now, 'now')) },
        { contender: before, ...(await prepare(before, 'before')) },
      ];
      const comparisons = clients.map((count) => ({ what: name, clients: count, entries }));
      const rounds = { ...options, warmUpSeconds: options['warm-up'] };
      const measurements = await measureRounds(comparisons, rounds, startLoadGenerator(own.stops));
      const tables = summarize(measurements);
      const text = tables.map(tableText).join('\n');
      const requirements = [...atLeastAsFast(tables, atLeast), noneFailed(measurements)];
      return { requirements, text, measured: { tables, measurements } };
    });
  },
});
