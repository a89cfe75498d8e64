import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { calls } from '../calls/all-calls.ts';
import { operationSubject } from '../declaration/call.ts';
import { cancelledEvent } from '../events/cancelled.ts';
import { replicaEvent } from '../events/replica.ts';
import { statusSurvey } from '../events/status.ts';
import { surveyEvent } from '../events/survey.ts';
import { traceSurvey } from '../events/trace.ts';
import { operations } from '../operations/all-operations.ts';
import { busUsers, processes, services } from '../services.ts';
import { permissionsOf, replicaSubject } from './subjects.ts';

/** Whether a permission covers a subject (NATS subject wildcards). */
function covers(permission: string, subject: string): boolean {
  return permission.endsWith('.>') ? subject.startsWith(permission.slice(0, -1)) : permission === subject;
}

const serversOf = (subject: string) =>
  busUsers.filter((user) => permissionsOf(user).subscribe.some((permission) => covers(permission, subject)));
const callersOf = (subject: string) =>
  busUsers.filter((user) => permissionsOf(user).publish.some((permission) => covers(permission, subject)));

describe('permissions on the bus', () => {
  test.each([...calls])('let the callers of $id call it, and its service alone serve it', (call) => {
    expect(callersOf(call.subject)).toEqual(busUsers.filter((user) => call.callers.includes(user)));
    expect(serversOf(call.subject)).toEqual([call.service]);
  });

  test('need no change for a new operation', () => {
    for (const service of services) {
      expect(serversOf(operationSubject({ service, id: 'anything.new' }))).toEqual([service]);
      expect(callersOf(operationSubject({ service, id: 'anything.new' }))).toEqual(['gateway']);
    }
  });

  test('let the declared callers of an operation call it, and only it', () => {
    const [shared, other] = [...operations.values()];
    const offered = [{ ...shared!, callers: ['gateway', 'mail'] } as const, other!];
    expect(permissionsOf('mail', [], offered).publish).toContain(shared!.subject);
    expect(permissionsOf('mail', [], offered).publish).not.toContain(other!.subject);
    expect(permissionsOf('gateway', [], offered).publish).toContain('op.>');
  });

  test('let only the declared users publish and receive an event', () => {
    const event = {
      subject: 'event.something_happened',
      publishers: ['mail'],
      subscribers: ['gateway'],
      body: z.object({}),
    } as const;
    expect(permissionsOf('mail', [event]).publish).toContain(event.subject);
    expect(permissionsOf('gateway', [event]).subscribe).toContain(event.subject);
    expect(permissionsOf('grants', [event])).toEqual(permissionsOf('grants', []));
  });

  test.each(services)(
    'let the gateway alone cancel a request to %s, and that service alone receive it',
    (service) => {
      const { subject } = cancelledEvent(service);
      expect(callersOf(subject)).toEqual(['gateway']);
      expect(serversOf(subject)).toEqual([service]);
    },
  );

  test.each(
    [statusSurvey, traceSurvey].flatMap((survey) =>
      processes.map((service) => ({ ...surveyEvent(survey, service), service })),
    ),
  )('let operators alone ask on $subject, and $service alone answer', ({ subject, service }) => {
    expect([callersOf(subject), serversOf(subject)]).toEqual([['admin'], [service]]);
  });

  test.each(services)('let only the callers of %s probe its replicas', (service) => {
    const asked = calls.filter((declared) => declared.service === service);
    const askers = busUsers.filter((user) => asked.some(({ callers }) => callers.includes(user)));
    expect(askers).toContain('gateway');
    const one = replicaSubject(service, 'x');
    const { subject } = replicaEvent(service);
    expect([callersOf(one), serversOf(one)]).toEqual([askers, [service]]);
    expect([callersOf(subject), serversOf(subject)]).toEqual([[service], askers]);
  });
});
