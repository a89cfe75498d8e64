import { aMember, scheduled } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { type EmailInput, emailFingerprint, submissionKey } from './submission-key.ts';

const email: EmailInput = { to: ['ada@example.com'], subject: 'Hello', body: 'Text' };
const member = aMember({ workspaceId: 'ws_1', userId: 'ada' });
const job = scheduled(member, { id: 'rgr_1', invocationId: 'run-7' });
const key = { ...email, idempotency_key: 'key-1' };

test('a key belongs to a Member in a Workspace, whichever operation grant they call with, or to a routine grant', () => {
  const markerFor = (who: typeof member) => submissionKey(key, who, 'req_1').marker;
  const others = [
    member,
    aMember({ workspaceId: 'ws_1', userId: 'bob' }),
    aMember({ workspaceId: 'ws_2', userId: 'ada' }),
    job,
    scheduled(member, { id: 'rgr_2', invocationId: 'run-7' }),
  ];
  expect(new Set(others.map(markerFor)).size).toBe(others.length);
  expect(markerFor({ ...member, operationGrantId: 'ogr_1' })).toBe(markerFor(member));
  expect(markerFor(scheduled(member, { id: 'rgr_1', invocationId: 'run-8' }))).toBe(markerFor(job));
});

test('every field that a caller chose tells one e-mail from another, but no copies from an empty list or the deprecated ones', () => {
  const others: EmailInput[] = [
    email,
    { ...email, to: ['ada@example.com', 'bob@example.com'] },
    { ...email, cc: ['bob@example.com'] },
    { ...email, subject: 'Other' },
    { ...email, body: 'Other' },
    { ...email, sender_id: 'snd_1' },
    { ...email, output_definition: 'digest' },
  ];
  expect(new Set(others.map(emailFingerprint)).size).toBe(others.length);
  const same: EmailInput = { ...key, cc: [], connection_id: 'con_1', confirm_send: true };
  expect(emailFingerprint(same)).toBe(emailFingerprint(email));
});
