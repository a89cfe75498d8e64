/** `npm run e2e -- rolling --help`: restarts every process of the platform, one after the other, and reports what its callers noticed. */
import { parseArgs } from 'node:util';
import { processes } from '@action-platform/contracts';
import { say } from '../on-a-stack.ts';
import { changeAndBack } from './change-release.ts';
import { countMeetings } from './meetings.ts';
import { releaseOf } from './release-of.ts';
import { underLoad } from './under-load.ts';

const usage = `npm run e2e -- rolling [options]

  --rate 200        requests per second
  --rounds 1        how often everything is restarted
  --from COMMIT     begins with this older version of the platform, changes it to this one, and back`;

const { values: options } = parseArgs({
  options: {
    rate: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '1' },
    from: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  say(usage);
  process.exit();
}

const former = options.from === undefined ? undefined : await releaseOf(options.from);
await underLoad({ perSecond: Number(options.rate), former }, async (drill) => {
  const { platform, step } = drill;
  for (let round = 0; round < Number(options.rounds); round++) {
    if (former !== undefined) await changeAndBack(former, drill);
    else
      for (const service of processes)
        await step(service, () => platform.restart((part) => part.service === service));
  }
  const meetings = former === undefined ? [] : countMeetings(drill.deployment.folder, former);
  for (const { gateway, service, calls } of meetings)
    say(`${calls} calls of gateways of ${gateway} were answered by services of ${service}.`);
  return meetings.every(({ calls }) => calls > 0);
});
