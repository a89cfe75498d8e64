import { totalmem } from 'node:os';

/**
 * The bytes of a body that a call in flight may have without taking them from the byte budget: the limit of calls bounds them.
 * The budget counts no small call, and a shortage of bytes refuses none.
 */
const UNCOUNTED_BYTES = 16 * 1024;

/** A byte of a body costs several bytes of memory on its way: it is copied, decoded, parsed and collected late. */
const BUDGET_OF_MEMORY = 1 / 16;

/** The bytes of a body of this size that count against the byte budget. */
export function countedBytes(bytes: number): number {
  return Math.max(0, bytes - UNCOUNTED_BYTES);
}

/** The byte budget of this process: the configured one, or less in a container with a small memory limit. */
export function byteBudget(configured: number, memory = memoryLimit()): number {
  return Math.min(configured, Math.floor(memory * BUDGET_OF_MEMORY));
}

/** The memory limit of this process, in bytes: that of its cgroup, or the memory of the machine. */
function memoryLimit(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
