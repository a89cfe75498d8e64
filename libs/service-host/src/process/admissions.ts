import { Admission } from '@action-platform/admission';
import type { Limits } from '@action-platform/contracts';

/** How many calls are worked on at once at least, however slow it goes. */
const LEAST_AT_WORK = 16;

/** Who is let in to be worked on, and to be given an answer that does not fit one message. */
export function admissions(limits: Limits): { admission: Admission; longAnswers: Admission } {
  const bounds = {
    maxTaken: limits.SERVICE_MAX_IN_FLIGHT,
    maxWaitingBytes: limits.SERVICE_MAX_WAITING_BYTES,
    maxWaitMs: limits.SERVICE_MAX_WAIT_MS,
  };
  const atWork = { most: limits.SERVICE_MAX_AT_WORK, least: LEAST_AT_WORK };
  // How long these take is for their readers to say, and nothing follows from it.
  const atOnce = { most: limits.SERVICE_MAX_LONG_ANSWERS, least: limits.SERVICE_MAX_LONG_ANSWERS };
  return {
    admission: new Admission({ ...bounds, atWork }),
    longAnswers: new Admission({ ...bounds, atWork: atOnce }),
  };
}
