import type { StatedError } from './entry.ts';

export const mailErrors = {
  connection_not_found: {
    status: 404,
    message: 'You can see no app connection with this id.',
    next: 'List the connections that you can see with GET /api/v1/app-connections, and use an id from there.',
    why: 'The id is wrong, or the connection belongs to another Member or another Workspace.',
  },
  sender_not_found: {
    status: 404,
    message: 'The Workspace has no shared mailbox with this id.',
    next: 'List the shared mailboxes with GET /api/v1/senders, and use a senderId from there.',
    why: 'The id is wrong, the mailbox was removed long ago, or it belongs to another Workspace.',
  },
  mail_sender_required: {
    status: 400,
    message: 'A scheduled call must name its sender.',
    next: 'Send sender_id with a value from mail.list_authorized_senders whose scheduled_eligible is true.',
    grantedField: 'sender_id',
    why: 'Only an interactive call falls back to the mailbox of the Member.',
  },
  mail_sender_not_authorized: {
    status: 400,
    message: 'This sender is not among those the caller may use.',
    next: 'Use a sender_id from mail.list_authorized_senders.',
    why: 'The sender_id is wrong, or the mailbox is not shared with this Member.',
  },
  mail_sender_not_eligible: {
    status: 400,
    message: 'This sender cannot be used for this kind of call now.',
    next: 'Choose a sender from mail.list_authorized_senders that is available and eligible: interactive_eligible for a session or an operation grant, scheduled_eligible for a routine grant.',
    why: 'A mailbox may be closed to interactive or to scheduled use, or be unavailable at the moment.',
  },
  mail_output_definition_required: {
    status: 400,
    message: 'A scheduled call must name its output definition.',
    next: 'Send output_definition with exactly the value that the routine grant was created with.',
    grantedField: 'output_definition',
    why: 'A routine may only produce the output its grant was created for.',
  },
  mail_idempotency_conflict: {
    status: 400,
    message: 'This idempotency key was already used for another e-mail.',
    next: 'Use a new idempotency_key for a new e-mail; to learn the first outcome, repeat the first input with this key.',
    why: 'A key names one draft, so that a retry can never create a second one.',
  },
} as const satisfies Record<string, StatedError>;
