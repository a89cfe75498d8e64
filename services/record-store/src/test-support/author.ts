import type { Author } from '../writes/next-head.ts';

/** The author of writes that tests make without a call. */
export const author: Author = {
  userId: 'user-owner',
  origin: { request_id: 'req_test', user_id: 'user-owner' },
};
