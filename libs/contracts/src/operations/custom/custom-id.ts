/** The form of the ids of custom operations: `custom.` and a name of two words or more, at most 56 characters: the names of their tools have 64, which model APIs take. */
export const CUSTOM_ID = /^custom\.(?=.{1,56}$)[a-z][a-z0-9]*(_[a-z0-9]+)+$/;

/** Whether a text has the form of the ids of custom operations. A Workspace need not have one with it. */
export function isCustomId(id: string): boolean {
  return CUSTOM_ID.test(id);
}
