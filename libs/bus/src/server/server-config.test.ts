import { WrongConfiguration } from '@action-platform/contracts/configuration';
import { defaultLimits } from '@action-platform/contracts/limits';
import { expect, test } from '@jest/globals';
import { requireRoomForAnswers } from './server-config.ts';

test('limits that let more answers be on their way than the NATS server holds for a gateway are refused', () => {
  requireRoomForAnswers(defaultLimits);
  requireRoomForAnswers({ ...defaultLimits, GATEWAY_MAX_IN_FLIGHT: 1_600 });
  for (const limits of [
    { GATEWAY_MAX_IN_FLIGHT: 2_000 },
    { GATEWAY_MAX_BYTES_IN_FLIGHT: 128 * 1024 * 1024 },
  ]) {
    const check = () => requireRoomForAnswers({ ...defaultLimits, ...limits });
    expect(check).toThrow(WrongConfiguration);
    expect(check).toThrow(Object.keys(limits)[0]!);
  }
});
