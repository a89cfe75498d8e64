import { DraftRefused, type MailProvider } from '../providers/provider.ts';

/** The end of an attempt: its process dies before or after the provider makes the draft, or the provider refuses it. */
export type Fault = 'dies before' | 'dies after' | 'is refused';

/** A provider with faults around the creation of the next drafts, in turn. */
export function faulty(provider: MailProvider, faults: Fault[]): MailProvider {
  return {
    name: provider.name,
    createsOnce: provider.createsOnce,
    settings: provider.settings,
    needsSecret: provider.needsSecret,
    signIn: (...signed) => provider.signIn(...signed),
    findDraft: (...found) => provider.findDraft(...found),
    createDraft: async (...created) => {
      const fault = faults.shift();
      if (fault === 'is refused') throw new DraftRefused({ correlation: { http_status: 403 } });
      if (fault === 'dies before') throw new Error('killed');
      const draft = await provider.createDraft(...created);
      if (fault === 'dies after') throw new Error('killed');
      return draft;
    },
  };
}
