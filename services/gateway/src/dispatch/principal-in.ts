import type { Principal } from '@action-platform/contracts/authority';

/** The principal in the text that grants wrote, of a call that a rule may hold, too; undefined when grants wrote something else. */
export function principalIn(text: string | undefined): Principal | undefined {
  try {
    const found = JSON.parse(text ?? 'null');
    return found?.subjectToApproval ?? found ?? undefined;
  } catch {
    return undefined;
  }
}
