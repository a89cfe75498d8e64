import { type ConcurrencyLimiter, countedBytes, type FairnessKey } from '@action-platform/admission';

/** The bytes of one answer in the byte budget of the process, beyond those that no answer counts. */
export function heldBytes(budget: ConcurrencyLimiter, fairnessKey: FairnessKey) {
  let [all, counted] = [0, 0];
  return {
    /** Takes so many more; false when the budget has no room. */
    hold: (bytes: number): boolean => {
      all += bytes;
      const more = countedBytes(all) - counted;
      if (more > 0 && !budget.take(fairnessKey, '', more)) return false;
      counted += more;
      return true;
    },
    release: (): void => {
      if (counted > 0) budget.leave(fairnessKey, '', counted);
    },
  };
}
