/** The calls that faults can be planned for. */
export const faultyCalls = ['token', 'create', 'search', 'remove', 'folder'] as const;
export type FaultyCall = (typeof faultyCalls)[number];

/** The behaviour of the stand-in in place of the documented answer. */
export type GraphFault =
  /** The stand-in refuses with a status and an error code, and does nothing. */
  | { readonly refuse: number; readonly code: string }
  /** The stand-in asks to wait, and does nothing. */
  | { readonly throttle: 429 | 503; readonly seconds: number }
  /** The stand-in does what was asked, and its answer is malformed JSON or does not end. */
  | { readonly garbled: 'malformed' | 'endless' }
  /** The stand-in answers so much later. */
  | { readonly delayMs: number }
  /** The stand-in ends the connection, before or after it has done what was asked, or before `deliverLate` lets it do that. */
  | { readonly cut: 'before' | 'after' | 'late' }
  /** The stand-in never answers, whether or not it has done what was asked, or does that when `deliverLate` lets it. */
  | { readonly swallow: 'before' | 'after' | 'late' };

/** The faults of the next calls, in turn for each kind of call. */
export class GraphFaults {
  readonly #planned = new Map<FaultyCall, GraphFault[]>();
  #taken = Promise.withResolvers<void>();

  plan(call: FaultyCall, ...faults: GraphFault[]): void {
    this.#planned.set(call, [...(this.#planned.get(call) ?? []), ...faults]);
    this.#taken = Promise.withResolvers();
  }

  take(call: FaultyCall): GraphFault | undefined {
    const fault = this.#planned.get(call)?.shift();
    if (this.areTaken) this.#taken.resolve();
    return fault;
  }

  /** Whether calls have met all that were planned. */
  get areTaken(): boolean {
    return [...this.#planned.values()].every(({ length }) => length === 0);
  }

  /** Resolves when a call meets the last of them. */
  get taken(): Promise<void> {
    return this.#taken.promise;
  }

  clear(): void {
    this.#planned.clear();
  }
}
