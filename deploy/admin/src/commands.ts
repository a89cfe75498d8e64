import type { Command } from './command.ts';
import { appConnect, appDisconnect } from './commands/app.ts';
import { filesAdd } from './commands/files.ts';
import { memberAdd, memberRemove, memberRole } from './commands/member.ts';
import { quotaSet, quotaShow } from './commands/quota.ts';
import { senderAdd } from './commands/sender.ts';
import { token } from './commands/token.ts';
import { workspaceCreate } from './commands/workspace.ts';

/** Everything an operator can do. */
export const commands: readonly Command[] = [
  workspaceCreate,
  memberAdd,
  memberRemove,
  memberRole,
  appConnect,
  appDisconnect,
  senderAdd,
  filesAdd,
  quotaSet,
  quotaShow,
  token,
];
