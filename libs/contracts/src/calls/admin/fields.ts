import { USER_ID_MAX_LENGTH } from '../../resources/members/shapes.ts';
import { field, opaqueId } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';

export const workspace = field(opaqueId, 'The id of a Workspace.', 'ws_0198f2');

export const user = field(
  text({ min: 1, max: USER_ID_MAX_LENGTH }),
  "A user id: the sub claim of the user's session tokens.",
  'ada@example.com',
);
