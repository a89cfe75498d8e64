import { z } from 'zod';
import { defineCall } from '../declaration/call.ts';
import { type ServiceName, services } from '../services/services.ts';

/**
 * Removes a part of what a service stores of a Workspace, or of one of its users alone. Each call does a bounded amount of work; the
 * caller repeats it until it `isDone`. The service host serves it from the service's declaration of its documents.
 */
export function eraseCall(service: ServiceName) {
  return defineCall({
    id: `${service}.erase`,
    callers: ['grants'],
    effect: 'write',
    input: z.object({ workspaceId: z.string(), userId: z.string().optional() }),
    /** `removed`: how many documents this call removed or changed. */
    output: z.object({ isDone: z.boolean(), removed: z.int() }),
  });
}

/** Reads a page of what a service stores of a Workspace. The service host serves it as it does `eraseCall`. */
export function exportCall(service: ServiceName) {
  return defineCall({
    id: `${service}.export`,
    callers: ['admin'],
    effect: 'read',
    input: z.object({
      workspace: z.string(),
      /** The `next` of the page before. */
      after: z.string().optional(),
    }),
    /** Each line is a JSON text, so that no reader changes a number in a payload. */
    output: z.object({ lines: z.array(z.string()), next: z.string().nullable() }),
  });
}

/** Whether a service stores anything of a Workspace. The service host serves it as it does `eraseCall`. */
export function storesCall(service: ServiceName) {
  return defineCall({
    id: `${service}.stores`,
    callers: ['grants'],
    effect: 'read',
    input: z.object({ workspaceId: z.string() }),
    output: z.object({ isStored: z.boolean() }),
  });
}

/** The calls of every service about the data of a Workspace. Grants looks after its own part itself. */
export const workspaceDataCalls = [
  ...services
    .filter((service) => service !== 'grants')
    .flatMap((other) => [eraseCall(other), storesCall(other)]),
  ...services.map(exportCall),
];
