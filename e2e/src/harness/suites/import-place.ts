import { setQuota, showQuota } from '@action-platform/contracts/calls';
import { createCollection, listRecords } from '@action-platform/contracts/operations';
import type { LocalPlatform } from '../../local-platform.ts';
import type { Imported } from '../checkers/imported.ts';
import { newWorkspace } from '../workload/make-fixture.ts';
import { Session } from '../workload/session.ts';

/** A quota that no import reaches, in bytes. */
const ROOMY = 1e12;

/** A row as an import has it. */
export interface ImportedRow {
  readonly id: string;
  readonly name: string;
  readonly visits: number;
}

/** So many rows. */
export const rowsOf = (count: number): ImportedRow[] =>
  Array.from({ length: count }, (_, visits) => ({ id: `row-${visits}`, name: 'First Last', visits }));

/** A Workspace of imports. */
export class ImportPlace {
  readonly url: string;
  readonly token: string;
  readonly session: Session;
  readonly #platform: LocalPlatform;
  readonly #workspace: string;

  private constructor(platform: LocalPlatform, workspace: string, token: string) {
    this.url = platform.gateways[0]!;
    this.token = token;
    this.session = new Session(this.url, token);
    this.#platform = platform;
    this.#workspace = workspace;
  }

  static async on(platform: LocalPlatform): Promise<ImportPlace> {
    const { workspace, owners } = await newWorkspace(platform);
    const place = new ImportPlace(platform, workspace, owners[0].token);
    await place.setQuota(ROOMY);
    return place;
  }

  async setQuota(bytes: number): Promise<void> {
    await this.#platform.operate(setQuota, { workspace: this.#workspace, bytes });
  }

  /** The bytes that the quota counts. */
  async countedBytes(): Promise<number> {
    return (await this.#platform.operate(showQuota, { workspace: this.#workspace })).stored_bytes;
  }

  async newCollection(): Promise<string> {
    const { collection } = await this.session.execute(createCollection.id, { name: crypto.randomUUID() });
    return collection.id;
  }

  /** The outcome of an import: its rows in a Collection. @param before the counted bytes before it */
  async imported(collection: string, rows: readonly ImportedRow[], before: number): Promise<Imported> {
    const stored: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const input = { collection_id: collection, limit: 200, ...(cursor && { cursor }) };
      const page = await this.session.execute(listRecords.id, input);
      stored.push(...page.records.map(({ payload }: { payload: object }) => JSON.stringify(payload)));
      cursor = page.next_cursor;
    }
    const countedBytes = (await this.countedBytes()) - before;
    return { rows: rows.map((row) => JSON.stringify(row)), stored, countedBytes };
  }
}
