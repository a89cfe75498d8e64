import { z } from 'zod';

/** Whether a sender is a Member's own mailbox or a shared one. */
export const senderType = z.enum(['member_mailbox', 'shared_mailbox']);
