import type { Command } from './command.ts';
import { memberAdd, memberRemove, memberRole } from './commands/member.ts';
import { quotaSet, quotaShow } from './commands/quota.ts';
import { token } from './commands/token.ts';
import { workspaceCreate } from './commands/workspace.ts';

/** Everything an operator can do. */
export const commands: readonly Command[] = [
  workspaceCreate,
  memberAdd,
  memberRemove,
  memberRole,
  quotaSet,
  quotaShow,
  token,
];
