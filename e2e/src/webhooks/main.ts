/**
 * Sends webhooks through rotations, killed processes and lost storage, and beside endpoints that misbehave:
 * `npm run e2e -- webhooks --help`. docs/webhooks.md has the promises.
 */
import { parseArgs } from 'node:util';
import { endWith, say } from '../on-a-stack.ts';
import { StackProcess } from '../stack-process.ts';
import { Crowd } from './crowd.ts';
import { Owner } from './owner.ts';
import { throughRotations } from './rotations.ts';

const { values: options } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '1000' },
    endpoints: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '60' },
    kills: { type: 'string', default: '120' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  say(`npm run e2e -- webhooks [options]

  --deliveries 1000   through three rotations, while each replica of events is killed
  --endpoints 1000    of which a fifth misbehaves
  --seconds 60        of the measurements without those and beside them
  --kills 120         seconds of commits while every process is killed
  Then JetStream loses its storage twice. A 0 leaves a part out.`);
  process.exit();
}

const stack = new StackProcess();
stack.environment.WORKSPACE_WEBHOOK_ENDPOINTS_MAX = '2000';
await endWith(stack, async () => {
  say('Starting two replicas of events …');
  const owner = new Owner(await stack.start('--replicas', 'events=2'));
  if (Number(options.deliveries) > 0) await throughRotations(stack, owner, Number(options.deliveries));
  const crowd = await Crowd.start(stack, owner, Number(options.endpoints));
  await crowd.besideBad(Number(options.seconds));
  await crowd.throughKills(Number(options.kills));
  for (let time = 0; time < 2; time++) await crowd.throughLoss();
  crowd.stop();
  return true;
});
