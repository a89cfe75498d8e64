import { grantRequests } from './grant-requests.ts';
import type { HardRequest, Surroundings } from './hard-request.ts';
import { otherRequests } from './other-requests.ts';
import { recordRequests } from './record-requests.ts';

/** Every request that is hard work. */
export function hardRequests(surroundings: Surroundings): readonly HardRequest[] {
  return [...recordRequests(surroundings), ...otherRequests(), ...grantRequests(surroundings)];
}
