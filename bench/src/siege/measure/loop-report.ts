/** What a process tells of its event loop, since it was asked last. */
export interface LoopReport {
  /** Delays by `monitorEventLoopDelay`, in milliseconds; each holds the millisecond between two looks. */
  readonly delayMs: { readonly p99: number; readonly p999: number; readonly p100: number };
  readonly stalls: readonly Stall[];
  /** The longest pause of the garbage collector, in milliseconds. */
  readonly longestGcMs: number;
}

/** A time in which a timer was not served. */
export interface Stall {
  /** From the last time that it was served to the next, in milliseconds of the clock that all processes share. */
  readonly from: number;
  readonly to: number;
  /** How late the timer was. */
  readonly delayMs: number;
  /** How long the thread ran meanwhile, and how long it was ready to run and another had the processor: proc_pid_schedstat(5). */
  readonly workedMs: number;
  readonly waitedMs: number;
  /** How long the garbage collector stopped it. */
  readonly gcMs: number;
}

/** Now, in milliseconds of the clock that all processes of a machine share (CLOCK_MONOTONIC on Linux). */
export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
