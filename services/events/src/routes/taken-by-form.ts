import { ActionError } from '@action-platform/contracts/errors';
import { takesType } from '@action-platform/contracts/resources';
import type { MessageForm } from '../webhooks/sending/forms.ts';

/** The events that an endpoint asks for. */
interface Asked {
  readonly types?: readonly string[] | null | undefined;
  readonly collectionIds?: readonly string[] | null | undefined;
}

/** Refuses (`invalid_request`) events that a form for people never takes, and such a form without an address that its messages lead to. */
export function requireTaken(
  form: MessageForm | undefined,
  { types, collectionIds }: Asked,
  publicUrl: string | undefined,
): void {
  if (form === undefined) return;
  const refused = (message: string) => new ActionError('invalid_request', { message });
  if (publicUrl === undefined)
    throw refused('form: this deployment sends no messages: its operator has not set PUBLIC_URL.');
  const other = types?.findIndex((type) => !takesType(form, type)) ?? -1;
  if (other >= 0)
    throw refused(`types[${other}]: ${form} takes approval.*, webhook_endpoint.failing and connector.*.`);
  if (collectionIds) throw refused(`collectionIds: ${form} takes no events of Collections.`);
}
