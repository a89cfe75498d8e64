import { processes } from '@action-platform/contracts/services';
import { say } from '../../on-a-stack.ts';
import { countMeetings } from '../evidence/meetings.ts';
import { releaseOf } from '../platforms/release-of.ts';
import type { Suite } from '../run.ts';
import { changeAndBack } from './change-release.ts';
import { unnoticed } from './unnoticed.ts';

/** Restarts every process of the platform, one after the other, or changes its version and back. */
export const rolling: Suite = {
  options: {
    rounds: ['1', 'how often everything is restarted'],
    from: ['', 'begins with the version of this commit, changes it to this one, and back'],
  },
  run: async ({ rounds, from }) => {
    const former = from === '' ? undefined : await releaseOf(from!);
    return await unnoticed(former, async (drill) => {
      const { platform, step } = drill;
      for (let round = 0; round < Number(rounds); round++) {
        if (former !== undefined) await changeAndBack(former, drill);
        else
          for (const service of processes)
            await step(service, () => platform.restart((part) => part.service === service));
      }
      const meetings = former === undefined ? [] : countMeetings(drill.deployment.folder, former);
      for (const { gateway, service, calls } of meetings)
        say(`${calls} calls of gateways of ${gateway} were answered by services of ${service}.`);
      return meetings.flatMap(({ gateway, service, calls }) =>
        calls > 0 ? [] : [`gateways of ${gateway} never called services of ${service}`],
      );
    });
  },
};
