import { field, opaqueId, userId } from '../../schema/fields.ts';

export const workspace = field(opaqueId, 'The id of a Workspace.', 'ws_0198f2');

export const user = field(
  userId,
  "A user id: the sub claim of the user's session tokens.",
  'ada@example.com',
);
