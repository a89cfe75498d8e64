/** The user ids of the demo Workspace. */
export const OWNER = 'demo-owner';
export const MEMBER = 'demo-member';
