import type { Bus } from '@action-platform/bus';
import { ActionError, memberRole, type SessionClaims } from '@action-platform/contracts';
import { type CallContext, callOnward, serveMemberRoute } from '@action-platform/service-host';
import { noteRoutes } from './declarations.ts';

/** The handlers of notes, which a service keeps in memory. */
export function serveNotes(bus: Bus) {
  const notes = new Map<string, { id: string; text: string }>();
  const roleOf = async (session: SessionClaims, context: CallContext) =>
    (await callOnward(bus, memberRole, session, context)).role;
  const requireOwner = async (session: SessionClaims, context: CallContext) => {
    if ((await roleOf(session, context)) !== 'owner') throw new ActionError('owner_role_required');
  };
  return [
    serveMemberRoute(noteRoutes.list, roleOf, async ({ most }) => ({
      notes: [...notes.values()].slice(0, most),
    })),
    serveMemberRoute(noteRoutes.create, roleOf, async ({ text, idempotencyKey = text }, context) => {
      if (notes.has(idempotencyKey)) context.markReplayed();
      const note = notes.get(idempotencyKey) ?? { id: idempotencyKey, text };
      notes.set(note.id, note);
      return { note };
    }),
    serveMemberRoute(noteRoutes.change, roleOf, async ({ id, text }) => {
      notes.set(id, { id, text });
      return { note: { id, text } };
    }),
    serveMemberRoute(noteRoutes.replace, requireOwner, async ({ id, text }) => {
      notes.set(id, { id, text });
      return { note: { id, text } };
    }),
  ];
}
