import { invalidRequest } from '@action-platform/contracts/errors';
import type { Trust } from '@action-platform/contracts/resources';
import type { Dependencies } from '../dependencies.ts';

interface Trusting {
  readonly trust?: Trust | undefined;
}

/** Refuses (`invalid_request`) a trust in an issuer that the operators did not name. */
export function requireTrusted({ agents }: Pick<Dependencies, 'agents'>, { trust }: Trusting): void {
  if (trust === undefined || agents.workloadIssuers.includes(trust.issuer)) return;
  throw invalidRequest(
    'trust.issuer: is none of the issuers of workloads that an operator of the platform named.',
  );
}

/** The trust of a request as a term of its grant. */
export function trustIn({ trust }: Trusting) {
  return trust === undefined ? {} : { trust };
}
