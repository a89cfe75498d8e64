import { randomBytes, randomUUID } from 'node:crypto';
import type { Message, SingleValueLegacyExtendedProperty } from '@microsoft/microsoft-graph-types';

/** A folder by its well-known name. */
export type Folder = 'drafts' | 'deleteditems' | 'sentitems';

/** A message in the stand-in. */
export interface StoredMessage {
  /** The id that survives moves. */
  readonly immutableId: string;
  /** The id that a move changes. */
  regularId: string;
  readonly message: Message;
  readonly properties: readonly SingleValueLegacyExtendedProperty[];
  folder: Folder;
  /** When the filter begins to find it, in milliseconds of `performance.now()`. */
  foundFrom: number;
}

/** The messages of one mailbox. */
export class StandInMailbox {
  readonly messages: StoredMessage[] = [];
  /** The permission of the application in it. */
  access: 'none' | 'read' | 'write' = 'write';

  /** @param hiddenForMs how long the filter does not find it. */
  add({ singleValueExtendedProperties, ...sent }: Message, hiddenForMs: number): StoredMessage {
    const now = new Date().toISOString();
    const stored: StoredMessage = {
      immutableId: `AAkALg${newId()}`,
      regularId: `AAMkAG${newId()}`,
      message: {
        createdDateTime: now,
        lastModifiedDateTime: now,
        hasAttachments: false,
        internetMessageId: `<${randomUUID()}@stand-in.invalid>`,
        isDraft: true,
        isRead: true,
        ...sent,
      },
      properties: singleValueExtendedProperties ?? [],
      folder: 'drafts',
      foundFrom: performance.now() + hiddenForMs,
    };
    this.messages.push(stored);
    return stored;
  }

  /** The messages that the filter finds: names of properties are compared with case, values without. */
  having(id: string, value: string): StoredMessage[] {
    const now = performance.now();
    const matches = (property: SingleValueLegacyExtendedProperty) =>
      property.id === id && property.value?.toLowerCase() === value.toLowerCase();
    return this.messages.filter(({ foundFrom, properties }) => foundFrom <= now && properties.some(matches));
  }

  find(id: string): StoredMessage | undefined {
    return this.messages.find(({ immutableId, regularId }) => id === immutableId || id === regularId);
  }

  /** Moves a message, as a person or "Delete message" does. */
  move(stored: StoredMessage, folder: Folder): void {
    stored.folder = folder;
    stored.regularId = `AAMkAG${newId()}`;
  }

  /** Removes a message for good. */
  purge(stored: StoredMessage): void {
    this.messages.splice(this.messages.indexOf(stored), 1);
  }
}

function newId(): string {
  return `${randomBytes(36).toString('base64url')}A=`;
}
