/** A line of a query: what it is of, and its values with their times in seconds. */
interface Line {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [time: number, value: string])[];
}

/** An alert whose condition holds. */
interface ActiveAlert {
  readonly state: 'pending' | 'firing';
  readonly labels: Readonly<Record<string, string>>;
}

/** What a Prometheus has seen (Prometheus, "HTTP API"). */
export class Prometheus {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** What a query came to, every five seconds between two moments, in seconds since the epoch. @throws for a query that it refuses */
  async lines(query: string, from: number, to: number): Promise<readonly Line[]> {
    const parameters = new URLSearchParams({ query, start: `${from}`, end: `${to}`, step: '5' });
    const { result } = await this.#ask<{ result: Line[] }>(`query_range?${parameters}`);
    return result;
  }

  /** The alerts whose condition holds now, also of those that still wait. */
  async activeAlerts(): Promise<readonly ActiveAlert[]> {
    return (await this.#ask<{ alerts: ActiveAlert[] }>('alerts')).alerts;
  }

  async #ask<Data>(path: string): Promise<Data> {
    const response = await fetch(`${this.#url}/api/v1/${path}`);
    const { data, error } = (await response.json()) as { data: Data; error?: string };
    if (error !== undefined) throw new Error(`Prometheus: ${error}`);
    return data;
  }
}
