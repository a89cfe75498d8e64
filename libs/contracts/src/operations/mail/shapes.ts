import { z } from 'zod';

/** Whose mailbox a sender is. */
export const senderType = z.enum(['member_mailbox', 'shared_mailbox']);
