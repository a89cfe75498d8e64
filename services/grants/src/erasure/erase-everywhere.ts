import { type Bus, busHeaders, callService } from '@action-platform/bus';
import { eraseCall, inBackground } from '@action-platform/contracts/calls';
import { newRequestId } from '@action-platform/contracts/ids';
import { services } from '@action-platform/contracts/services';
import type { ErasedPart, ErasureTarget, MayGoOn } from '@action-platform/mongo';
import { eraseStored, type StoredData } from '@action-platform/service-host';

/** How long grants waits for a service to erase a part, in milliseconds. */
const PART_TIMEOUT_MS = 10_000;

/**
 * Erases a Workspace or a user in all services, in grants last.
 *
 * @param own the part of grants.
 * @returns how many documents were removed or changed; undefined when the erasure may not go on.
 * @throws an error that names the service whose part failed.
 */
export async function eraseEverywhere(
  { bus, own }: { readonly bus: Bus; readonly own: StoredData },
  place: ErasureTarget,
  mayGoOn: MayGoOn,
): Promise<number | undefined> {
  const headers = { [busHeaders.requestId]: newRequestId() };
  const options = { timeoutMs: PART_TIMEOUT_MS, headers };
  let removed = 0;
  for (const service of [...services.filter((name) => name !== 'grants'), 'grants' as const]) {
    const erase = (): Promise<ErasedPart> =>
      service === 'grants'
        ? eraseStored(own, place, inBackground)
        : callService(bus, eraseCall(service), place, options);
    for (let isDone = false; !isDone; ) {
      if (!(await mayGoOn())) return undefined;
      const part = await erase().catch((cause: unknown) => {
        throw new Error(`${service} has not erased its part`, { cause });
      });
      removed += part.removed;
      isDone = part.isDone;
    }
  }
  return removed;
}
