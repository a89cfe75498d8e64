import { RawConnection } from '@action-platform/bus/raw-connection';
import { busUsers } from '@action-platform/contracts';
import { readDeployment } from '@action-platform/deployment';
import { localDirectory, readStack } from '@action-platform/local';
import fc from 'fast-check';
import type { FuzzedPlatform } from '../environment/fuzzed-platform.ts';
import { LogWatch } from '../environment/log-watch.ts';
import { afterwards, allHold, type Target } from '../target.ts';
import { answerGateway } from './answer-gateway.ts';
import { type BusAnswers, busAnswers } from './answers.ts';
import { askService } from './ask.ts';
import { type BusRequest, busRequests } from './bus-requests.ts';
import { startIsolatedGateway } from './isolated-gateway.ts';
import { StandInServices } from './stand-in-services.ts';

/** Messages in flight at the same time. */
const AT_ONCE = 8;
const MESSAGE_BYTES = 64 * 1024;

/** The gateway logs this for a malformed answer. */
const MALFORMED_ANSWER = /^request failed$/;

/** Both sides of the bus: requests to the services of a whole platform, and answers to a separate gateway. */
export async function busTarget(platform: FuzzedPlatform): Promise<Target<(BusRequest | BusAnswers)[]>> {
  const { directory, placeholders } = platform;
  const stack = localDirectory({ LOCAL_DIR: directory });
  const { nats_url: url } = readStack(stack);
  const keys = readDeployment(stack.keys)!.busKeys.inUse;
  const opened = busUsers.map(async (user) => {
    const options = { url, user, seed: keys[user].seed, maxMessageBytes: MESSAGE_BYTES };
    return [user, await RawConnection.open(options)] as const;
  });
  const connections = new Map(await Promise.all(opened));
  const gateway = await startIsolatedGateway();
  const services = await StandInServices.start(gateway.open);
  const logs = new LogWatch(gateway.logs, placeholders.mark!, MALFORMED_ANSWER);
  return {
    name: 'bus',
    inputs: fc.array(fc.oneof(busRequests, busAnswers), { maxLength: AT_ONCE }),
    check: async (messages) => {
      const checks = messages.map((message) =>
        message.kind === 'request'
          ? askService(connections.get(message.as)!, message, placeholders)
          : answerGateway(gateway, services, message),
      );
      const answered = allHold(checks);
      const isWell = afterwards(answered, () => platform.check());
      await allHold([answered, isWell, afterwards(answered, async () => logs.check())]);
    },
    close: async () => {
      logs.close();
      await services.close();
      await gateway.stop();
      await Promise.all([...connections.values()].map((connection) => connection.close()));
    },
  };
}
