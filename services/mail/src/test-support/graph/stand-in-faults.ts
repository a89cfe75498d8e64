/** The calls that faults can be planned for. */
export type FaultyCall = 'token' | 'create' | 'search' | 'remove' | 'move' | 'folder';

/** What the stand-in does instead of answering as documented. */
export type GraphFault =
  /** It refuses with a status and an error code, and does nothing. */
  | { readonly refuse: number; readonly code: string }
  /** It asks to wait, and does nothing. */
  | { readonly throttle: 429 | 503; readonly seconds: number }
  /** It does what was asked, and answers with malformed JSON. */
  | { readonly malformed: true }
  /** It answers so much later. */
  | { readonly delayMs: number }
  /** It ends the connection, before or after it has done what was asked, or before `deliverLate` lets it do that. */
  | { readonly cut: 'before' | 'after' | 'late' }
  /** It never answers, whether or not it has done what was asked. */
  | { readonly swallow: 'before' | 'after' };

/** The faults of the next calls, in turn for each kind of call. */
export class GraphFaults {
  readonly #planned = new Map<FaultyCall, GraphFault[]>();

  plan(call: FaultyCall, ...faults: GraphFault[]): void {
    this.#planned.set(call, [...(this.#planned.get(call) ?? []), ...faults]);
  }

  take(call: FaultyCall): GraphFault | undefined {
    return this.#planned.get(call)?.shift();
  }

  clear(): void {
    this.#planned.clear();
  }
}
