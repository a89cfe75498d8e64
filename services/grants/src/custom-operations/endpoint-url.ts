import { invalidRequest } from '@action-platform/contracts/errors';
import { type DestinationPolicy, destinationUrl } from '@action-platform/outbound-http';

/** The rules of a deployment for the endpoints of custom operations. */
export interface EndpointRules extends DestinationPolicy {
  /** The URL of the gateway, at which endpoints find the keys of its tokens. */
  readonly publicUrl: string | undefined;
}

/** The URL of an endpoint in its normal form. @throws ActionError `invalid_request` */
export function endpointUrl(text: string, { publicUrl, ...policy }: EndpointRules): string {
  if (publicUrl === undefined) {
    throw invalidRequest('This deployment takes no custom operations: its operator has not set PUBLIC_URL.');
  }
  return destinationUrl(text, policy, { mayHaveQuery: false });
}
