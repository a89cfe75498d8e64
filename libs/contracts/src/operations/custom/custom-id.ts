/** The form of the ids of custom operations: `custom.` and a name of at most 40 characters, in two words or more. */
export const CUSTOM_ID = /^custom\.(?=.{1,40}$)[a-z][a-z0-9]*(_[a-z0-9]+)+$/;

/** Whether a text has the form of the ids of custom operations. A Workspace need not have one with it. */
export function isCustomId(id: string): boolean {
  return CUSTOM_ID.test(id);
}
