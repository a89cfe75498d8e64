import { z } from 'zod';
import { field, opaqueId, userId } from '../../schema/fields.ts';

export const workspace = field(opaqueId, 'The id of a Workspace.', 'ws_0198f2');

export const user = field(
  userId,
  "A user id: the sub claim of the user's session tokens.",
  'ada@example.com',
);

/** The time of the last change of a membership by the clock of the database of grants, in milliseconds; absent from a former version. */
export const membershipChangedAt = z.int().min(0).optional();
