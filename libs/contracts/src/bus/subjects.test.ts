import { describe, expect, test } from '@jest/globals';
import { calls } from '../calls/all-calls.ts';
import { operationSubject } from '../declaration/call.ts';
import { events } from '../events/all-events.ts';
import { replicaEvent } from '../events/replica.ts';
import { statusSurvey } from '../events/status.ts';
import { surveyEvent } from '../events/survey.ts';
import { traceSurvey } from '../events/trace.ts';
import { type BusUser, busUsers, processes, services } from '../services.ts';
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

  test.each(events)('let only the declared users publish and receive $subject', (event) => {
    const { subject, publishers, subscribers } = event;
    const named = (users: readonly BusUser[]) => busUsers.filter((user) => users.includes(user));
    expect([callersOf(subject), serversOf(subject)]).toEqual([named(publishers), named(subscribers)]);
  });

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
