import type { Message, Recipient } from '@microsoft/microsoft-graph-types';
import type { DraftMessage } from '../../messages/rfc5322.ts';

/**
 * The id of the extended property with the marker: type, namespace and name, in the preferred one of the formats in "Outlook
 * extended properties overview". Another value would lose the drafts that carry this one.
 */
const MARKER_PROPERTY = 'String {6f2a4a5e-6c53-4f0a-9d41-3b1f0f3c7d52} Name ActionPlatformKey';

/** A draft as the JSON of a message. Graph reads the body as text, which needs no escaping. */
export function toGraphMessage({ marker, from, to, cc, subject, body }: DraftMessage): Message {
  return {
    subject,
    body: { contentType: 'text', content: body },
    from: { emailAddress: from },
    toRecipients: to.map(recipient),
    ccRecipients: cc.map(recipient),
    singleValueExtendedProperties: [{ id: MARKER_PROPERTY, value: marker }],
  };
}

/** The `$filter` that matches the messages with a marker ("Get singleValueLegacyExtendedProperty"). */
export function havingMarker(marker: string): string {
  return `singleValueExtendedProperties/Any(ep: ep/id eq '${MARKER_PROPERTY}' and ep/value eq '${marker}')`;
}

function recipient(address: string): Recipient {
  return { emailAddress: { address } };
}
