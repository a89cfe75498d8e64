import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '@action-platform/testing';

const POLL_MS = 100;

/** What Alertmanager sends (Alertmanager, "webhook_config"). */
interface Notice {
  readonly alerts: readonly {
    readonly status: 'firing' | 'resolved';
    readonly fingerprint: string;
    readonly labels: { readonly alertname: string };
  }[];
}

/** Hears of alerts as those do who are woken up by them. */
export class Notices {
  /** Where they are sent. */
  readonly url: string;
  readonly #server: Server;
  /** Those that go on, by their fingerprints. */
  readonly #firing = new Map<string, string>();
  /** Every alert that began since they were last forgotten. */
  readonly #heard = new Set<string>();

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
    server.on('request', async (request, response) => {
      this.#take((await json(request)) as Notice);
      response.end();
    });
  }

  static async listen(): Promise<Notices> {
    const server = createServer();
    const port = await listen(server);
    return new Notices(server, `http://127.0.0.1:${port}`);
  }

  /** The names of the alerts that anybody heard of since the last time this was asked. */
  takeHeard(): string[] {
    const heard = [...this.#heard].toSorted();
    this.#heard.clear();
    return heard;
  }

  /** Takes it that an alert is over. Of one that ends while another keeps it silent nobody hears. */
  forget(alert: string): void {
    for (const [fingerprint, name] of this.#firing) if (name === alert) this.#firing.delete(fingerprint);
  }

  /** Resolves when somebody has been told that an alert fires, or that it is over. @throws when nobody was told in time */
  async until(alert: string, state: 'firing' | 'over', patienceMs: number): Promise<void> {
    const patience = performance.now() + patienceMs;
    while ([...this.#firing.values()].includes(alert) !== (state === 'firing')) {
      if (performance.now() > patience) throw new Error(`not ${state} after ${patienceMs / 1_000} s`);
      await delay(POLL_MS);
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #take({ alerts }: Notice): void {
    for (const { status, fingerprint, labels } of alerts) {
      if (status === 'resolved') {
        this.#firing.delete(fingerprint);
      } else {
        this.#firing.set(fingerprint, labels.alertname);
        this.#heard.add(labels.alertname);
      }
    }
  }
}
