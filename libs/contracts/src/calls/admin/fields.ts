import { USER_ID_MAX_LENGTH } from '../../resources/members/shapes.ts';
import { opaqueId } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';

/** The Workspace of a command. */
export const workspace = opaqueId.meta({ description: 'The id of a Workspace.', examples: ['ws_0198f2'] });

/** The user of a command. */
export const user = text({ min: 1, max: USER_ID_MAX_LENGTH }).meta({
  description: "A user id: the sub claim of the user's session tokens.",
  examples: ['ada@example.com'],
});
