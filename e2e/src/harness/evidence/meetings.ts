import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { services } from '@action-platform/contracts/services';
import { type Release, thisRelease } from '@action-platform/local/processes';

/**
 * Counts the calls between versions from the logs of a platform at level `debug`. Gateways of this version log every request; the other
 * requests in the logs of services came from gateways of the other version.
 *
 * @param folder of the platform
 */
export function countMeetings(folder: string, other: Release) {
  const requests = (service: string, { name }: Release) =>
    readdirSync(folder)
      .filter((file) => file.startsWith(`${service}-`) && file.endsWith(`.${name}.log`))
      .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(ANSWERED)])
      .map(([, requestId]) => requestId!);
  const ofThis = new Set(requests('gateway', thisRelease));
  return [thisRelease, other].flatMap((release) => {
    const calls = services.flatMap((service) => requests(service, release));
    const known = calls.filter((requestId) => ofThis.has(requestId)).length;
    return [
      { gateway: thisRelease.name, service: release.name, calls: known },
      { gateway: other.name, service: release.name, calls: calls.length - known },
    ];
  });
}

const ANSWERED = /^.*"request_id":"([^"]+)".*"msg":"answered"\}$/gm;
