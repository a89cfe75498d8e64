/**
 * `npm run test:alerts`: whether each alert fires when its failure is caused on a platform of the command's own, and whether it ends when
 * that is put right. Also whether none fires while nothing is wrong, and whether every panel of every dashboard has shown something by
 * then. With Prometheus and Alertmanager, as `npm run observe` runs them. Ends with 1 when it is not so.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Prometheus, startWatchers } from '@action-platform/observability';
import { endWith, say } from '../on-a-stack.ts';
import { Callers } from './callers.ts';
import { type Exercised, exercise } from './exercise.ts';
import { failures } from './failures.ts';
import { Ground } from './ground.ts';
import { Notices } from './notices.ts';
import { type Options, readOptions, usage } from './options.ts';
import { checkPanels } from './panels.ts';
import { quietMinutes } from './quiet.ts';
import { tableOf } from './table.ts';

/** How long all is well before the first failure, in milliseconds: what grows has to be seen before it does. */
const WARM_UP_MS = 20_000;

const options = readOptions(process.argv.slice(2));
if (options === undefined) {
  say(usage);
  process.exit();
}
const ground = new Ground();
await endWith(ground, async () => {
  say('Starting a platform …');
  await ground.start();
  const isQuiet = options.quietMs === 0 || (await quietMinutes(ground, options.quietMs, options.rate));
  const isLoud = options.only.length === 0 || (await causeFailures(options));
  return isQuiet && isLoud;
});

/** Causes them one after the other, under an ordinary load. @returns whether each was told of and came to an end, and every panel has data */
async function causeFailures({ only, isAll, shorter, rate }: Options): Promise<boolean> {
  const notices = await Notices.listen();
  const watching = { interval: '1s', timesShorter: shorter, webhook: notices.url };
  const watchers = await startWatchers({ LOCAL_DIR: ground.stack.directory }, watching, 'failures');
  const callers = new Callers(ground.demo, rate);
  const prometheus = new Prometheus(watchers.prometheus);
  const from = Date.now() / 1_000;
  say(
    `Every window and wait of the rules is ${shorter} times shorter now, but none under 10 s; metrics are read every second. ${rate} requests a second.`,
  );
  await delay(WARM_UP_MS);
  const exercised: Exercised[] = [];
  for (const group of failures) {
    const chosen = group.filter(({ alert }) => only.includes(alert));
    if (chosen.length > 0) exercised.push(...(await exercise(chosen, ground, { prometheus, notices })));
  }
  say(tableOf(exercised));
  const areShown = !isAll || (await checkPanels(prometheus, from, Date.now() / 1_000));
  await callers.stop();
  await watchers.stop();
  await notices.close();
  return areShown && exercised.every(({ problem }) => problem === undefined);
}
