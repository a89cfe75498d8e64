/** Values that differ between platforms, by the placeholder that a case has instead: `{{owner}}` is a session token of the Owner. */
export type Placeholders = Readonly<Record<string, string>>;

/** The text with its placeholders replaced by their values. */
export function filled(text: string, placeholders: Placeholders): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => placeholders[name] ?? whole);
}

/** Fields of inputs, each with the placeholder of an existing object. */
const REFERENCES: Readonly<Record<string, string>> = {
  collection_id: 'collection',
  record_id: 'record',
  sender_id: 'sender',
  workspace: 'workspace',
  workspaceId: 'workspace',
  user: 'passerBy',
  userId: 'passerBy',
  users: 'passerBy',
};

/** A JSON value with placeholders of existing objects in all fields that name one. */
export function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => {
    if (!Object.hasOwn(REFERENCES, name)) return [name, withReferences(member)];
    const reference = `{{${REFERENCES[name]}}}`;
    return [name, Array.isArray(member) ? [reference] : reference];
  });
  return Object.fromEntries(entries);
}
