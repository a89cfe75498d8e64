import type { SecretKeys } from '@action-platform/sealing';
import { signingSecrets } from '../endpoints/endpoint-secrets.ts';
import type { StoredEndpoint } from '../endpoints/stored-endpoint.ts';
import { signatureHeaders } from '../sending/signature.ts';

const USER_AGENT = { 'user-agent': 'action-platform-webhooks' };

/** The request that sends an event to an endpoint at a time. @param body the event as JSON */
export function signedRequest(body: string, endpoint: StoredEndpoint, keys: SecretKeys, at: Date) {
  const { id } = JSON.parse(body) as { id: string };
  const secrets = signingSecrets(endpoint, keys, at.getTime());
  const headers = {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    ...USER_AGENT,
    ...signatureHeaders({ id, at: at.getTime(), body }, secrets),
  };
  return { url: endpoint.url, headers, body };
}

/** The request that sends a message to people: its URL is its secret, and nothing signs it. */
export function messageRequest(body: string, endpoint: StoredEndpoint, keys: SecretKeys, at: Date) {
  const [url] = signingSecrets(endpoint, keys, at.getTime());
  return { url: url!, headers: { 'content-type': 'application/json; charset=utf-8', ...USER_AGENT }, body };
}
