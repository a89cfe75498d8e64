import { ActionError } from '@action-platform/contracts';
import type { StoredEndpoint } from './stored-endpoint.ts';

/** The refusal of an input, for this reason. */
export function refuseInput(message: string): ActionError {
  return new ActionError('invalid_request', { message });
}

/** @throws ActionError `invalid_request` for a disabled endpoint: it gets nothing. */
export function refuseDisabled({ status }: StoredEndpoint): void {
  if (status === 'disabled') throw refuseInput('The endpoint is disabled: enable it first.');
}
