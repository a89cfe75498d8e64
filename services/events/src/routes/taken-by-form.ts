import { invalidRequest } from '@action-platform/contracts/errors';
import { takesType } from '@action-platform/contracts/resources';
import type { MessageForm } from '../webhooks/sending/forms.ts';

/** The events that an endpoint asks for. */
interface Asked {
  readonly types?: readonly string[] | null | undefined;
  readonly collectionIds?: readonly string[] | null | undefined;
}

/** Refuses (`invalid_request`) events that a form for people never takes. */
export function requireEventsOfForm(form: MessageForm | undefined, { types, collectionIds }: Asked): void {
  if (form === undefined) return;
  const refusedAt = types?.findIndex((type) => !takesType(form, type)) ?? -1;
  if (refusedAt >= 0)
    throw invalidRequest(
      `types[${refusedAt}]: ${form} takes approval.*, webhook_endpoint.failing and connector.*.`,
    );
  if (collectionIds) throw invalidRequest(`collectionIds: ${form} takes no events of Collections.`);
}

/** Refuses (`invalid_request`) a form for people without an address that its messages lead to. */
export function requirePages(form: MessageForm | undefined, publicUrl: string | undefined): void {
  if (form !== undefined && publicUrl === undefined)
    throw invalidRequest('form: this deployment sends no messages: its operator has not set PUBLIC_URL.');
}
