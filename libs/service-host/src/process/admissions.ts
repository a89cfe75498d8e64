import { Admission, byteBudget } from '@action-platform/admission';
import type { Limits } from '@action-platform/contracts';

/** How many calls are worked on at once at least, however slow they are. */
const LEAST_AT_WORK = 16;

/** The admission of calls, and that of answers that do not fit one message. */
export function admissions(limits: Limits): { admission: Admission; longAnswers: Admission } {
  const bounds = {
    maxTaken: limits.SERVICE_MAX_IN_FLIGHT,
    maxBytes: byteBudget(limits.SERVICE_MAX_BYTES_IN_FLIGHT),
    maxWaitMs: limits.SERVICE_MAX_WAIT_MS,
  };
  const atWork = { most: limits.SERVICE_MAX_AT_WORK, least: LEAST_AT_WORK };
  // Their readers determine how long these take, so no limit follows from it.
  const atOnce = { most: limits.SERVICE_MAX_LONG_ANSWERS, least: limits.SERVICE_MAX_LONG_ANSWERS };
  return {
    admission: new Admission({ ...bounds, atWork }),
    longAnswers: new Admission({ ...bounds, atWork: atOnce }),
  };
}
