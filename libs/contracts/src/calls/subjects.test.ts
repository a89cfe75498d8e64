import { describe, expect, test } from '@jest/globals';
import { calls } from './registry.ts';
import { services } from './services.ts';
import { operationSubject, permissionsOf } from './subjects.ts';

describe('permissions on the bus', () => {
  test('let nobody but the gateway publish an operation', () => {
    expect(permissionsOf('gateway').publish).toContain('op.>');
    for (const user of [...services, 'admin'] as const) {
      expect(permissionsOf(user).publish.filter((subject) => subject.startsWith('op.'))).toEqual([]);
    }
  });

  test('give every call exactly one service that may serve it', () => {
    for (const { subject, service } of calls) {
      const servers = services.filter((candidate) => permissionsOf(candidate).subscribe.includes(subject));
      expect(servers).toEqual([service]);
    }
  });

  test('let a service serve its own operations only', () => {
    const subject = operationSubject('record_store.push_record');
    expect(permissionsOf('record-store').subscribe).toContain(subject);
    expect(permissionsOf('grants').subscribe).not.toContain(subject);
  });
});
