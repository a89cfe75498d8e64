import type { CustomOperation } from '@action-platform/contracts/operations';
import type { OperationContext } from '@action-platform/service-host';
import type { EndpointOutcome } from './outcome.ts';

/** How many requests of a Workspace may be under way at one origin. */
const AT_ONCE = 32;

/** Limits the requests under way at each origin, so that an endpoint that hangs holds a part of the process alone. */
export class UnderWay {
  readonly #counts = new Map<string, number>();

  /** Makes a request; at the limit it is unavailable at once. */
  async run(
    { principal }: OperationContext,
    { url }: CustomOperation,
    request: () => Promise<EndpointOutcome>,
  ): Promise<EndpointOutcome> {
    const place = `${principal.workspaceId} ${new URL(url).origin}`;
    const count = this.#counts.get(place) ?? 0;
    if (count >= AT_ONCE) return { is: 'unavailable', cause: 'calls_under_way' };
    this.#counts.set(place, count + 1);
    try {
      return await request();
    } finally {
      const left = this.#counts.get(place)! - 1;
      if (left === 0) this.#counts.delete(place);
      else this.#counts.set(place, left);
    }
  }
}
