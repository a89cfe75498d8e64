import { follow, madeBy } from '@action-platform/change-events';
import { isIdOf } from '@action-platform/contracts/ids';
import { storedAttempts } from './stored-attempt.ts';

/** The changes of the mail history: denials, and the outcomes of submissions. */
export const attemptChanges = follow(storedAttempts, {
  fields: ['workspace_id', 'user_id', 'sender_id', 'outcome', 'logged_at', 'origin', 'settled'],
  updates: true,
  changesOf: (attempt) => {
    const { _id, workspace_id: workspaceId, user_id, sender_id } = attempt;
    const of = { workspaceId, subject: _id } as const;
    // A denied call may have named anything as its sender, also an address.
    const isSender = sender_id !== undefined && isIdOf('sender', sender_id);
    const ids = { attempt_id: _id, user_id, ...(isSender && { sender_id }) };
    if (attempt.outcome === 'denied') {
      const data = { ...ids, ...madeBy(attempt.origin) };
      return [{ ...of, type: 'mail.denied', time: attempt.logged_at, data }];
    }
    const { failed, drafted } = attempt.settled ?? {};
    return [
      ...(failed === undefined ? [] : [{ outcome: 'failed', ...failed } as const]),
      ...(drafted === undefined ? [] : [{ outcome: 'drafted', ...drafted } as const]),
    ].map(({ outcome, at: time, ...origin }) => {
      const data = { ...ids, ...madeBy(origin) };
      return { ...of, type: `mail.${outcome}`, time, data, field: `settled.${outcome}` };
    });
  },
});
