import { durations, inSpan, thrownType } from '@action-platform/telemetry';
import { SpanKind } from '@opentelemetry/api';
import type { MailProvider } from './provider.ts';

const answering = durations('mail.provider.duration');

/** A provider that measures each call and makes a span of it, without content of the mail or its mailbox. */
export function observed(provider: MailProvider): MailProvider {
  const { name, createsOnce, attemptsAtOnce = Infinity, foundWithinMs = 0, settings, needsSecret } = provider;
  const options = { kind: SpanKind.CLIENT, attributes: Object.freeze({ 'mail.provider': name }) };
  const observing = async <Result>(operation: string, work: () => Promise<Result>): Promise<Result> => {
    const attributes = { 'mail.provider': name, 'mail.operation': operation };
    const begunAt = performance.now();
    try {
      const result = await inSpan(`mail ${operation}`, options, work);
      answering(performance.now() - begunAt, attributes);
      return result;
    } catch (error) {
      answering(performance.now() - begunAt, { ...attributes, 'error.type': thrownType(error) });
      throw error;
    }
  };
  const { keepOne } = provider;
  return {
    name,
    createsOnce,
    attemptsAtOnce,
    foundWithinMs,
    settings,
    needsSecret,
    signIn: (...call) => observing('sign_in', () => provider.signIn(...call)),
    findDraft: (...call) => observing('find_draft', () => provider.findDraft(...call)),
    createDraft: (...call) => observing('create_draft', () => provider.createDraft(...call)),
    ...(keepOne && { keepOne: (...call) => observing('keep_one', () => keepOne.apply(provider, call)) }),
  };
}
