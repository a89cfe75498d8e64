/** Measures the platform against what someone would write instead: `npm run bench -- --help`. */
import { join } from 'node:path';
import { chosenOf, listOf, positive } from '@action-platform/toolchain';
import { peers, startPeers } from './contenders/peer.ts';
import { startPlatform } from './contenders/platform.ts';
import { requireSameWork } from './contenders/require-same-work.ts';
import { startLoadGenerator } from './load/load.ts';
import { type Comparison, type Entry, measureRounds } from './measure/rounds.ts';
import { summarize } from './measure/summary.ts';
import { tableText } from './measure/text.ts';
import { say, tell } from './output.ts';
import { keepAwake } from './process/keep-awake.ts';
import { checkout, runCommand } from './run-command.ts';
import { scenarios } from './scenarios.ts';

const [known, beside] = [scenarios, peers].map((entries) => Object.keys(entries).join(', '));

await runCommand({
  name: 'results',
  usage: 'npm run bench --',
  options: {
    only: ['', `scenarios to run: ${known}`],
    contenders: ['', `contenders to run beside the platform: ${beside}; "none" for the platform alone`],
    clients: ['1,64', 'calls at the same time'],
    rounds: [5, 'how often everything is measured, in turns'],
    seconds: [10, 'length of one measurement'],
    'warm-up': [3, 'length of the unmeasured calls before it'],
    platform: [[checkout], 'checkout of the platform; variables may follow; again to compare versions'],
    awake: [
      false,
      'keeps the processors awake between calls; without it, one client also measures how they wake',
    ],
    profile: [false, 'writes CPU profiles of the platform into .local/bench/profiles (--cpu-prof)'],
  },
  run: async (options, bench) => {
    const chosen = chosenOf(options.only, Object.keys(scenarios));
    const clients = listOf(options.clients).map((text) => positive('--clients', text));
    const others = options.contenders === 'none' ? [] : chosenOf(options.contenders, Object.keys(peers));
    if (options.awake) await keepAwake(bench.folder, bench.stops);
    const contenders = [];
    for (const [index, version] of options.platform.entries()) {
      const name = index === 0 ? 'platform' : `platform-${index + 1}`;
      tell(`Starting ${name}: ${version} …`);
      const profiles = join(checkout, '.local', 'bench', 'profiles', name);
      const profiling = options.profile ? `,NODE_OPTIONS=--cpu-prof --cpu-prof-dir=${profiles}` : '';
      contenders.push(await startPlatform(name, `${version}${profiling}`, bench));
    }
    contenders.push(...(await startPeers(others, bench)));
    for (const contender of contenders) {
      tell(`${contender.name}: ${JSON.stringify(Object.fromEntries(contender.pids))}`);
      await requireSameWork(contender);
    }
    const comparisons: Comparison[] = [];
    for (const what of chosen) {
      const { isCommon = false, prepare } = scenarios[what]!;
      const entries: Entry[] = [];
      for (const contender of contenders) {
        if (isCommon || contender.isPlatform) entries.push({ contender, requests: await prepare(contender) });
      }
      comparisons.push(...clients.map((count) => ({ what, clients: count, entries })));
    }
    const generator = startLoadGenerator(bench.stops);
    const rounds = { ...options, warmUpSeconds: options['warm-up'] };
    const measurements = await measureRounds(comparisons, rounds, generator);
    const tables = summarize(measurements);
    const text = tables.map(tableText).join('\n');
    say(text);
    return { scenarios: { text, measured: { tables, measurements } } };
  },
});
