import { isDeepStrictEqual } from 'node:util';
import { numberedCommit } from '@action-platform/change-events';
import { inBackground, type Originated, type Timed } from '@action-platform/contracts/calls';
import { ActionError, invalidRequest } from '@action-platform/contracts/errors';
import { newId } from '@action-platform/contracts/ids';
import type { ExactLimit } from '@action-platform/contracts/limits';
import type { SessionClaims } from '@action-platform/contracts/resources';
import { slotWithin, unlessTaken, within } from '@action-platform/mongo';
import {
  openSecret,
  rekeySecrets,
  requireKeysInUse,
  type SecretKeys,
  type StoredSecrets,
  sealSecret,
} from '@action-platform/sealing';
import type { Collection } from 'mongodb';
import type { RequestedConnector } from './requested-connector.ts';
import type { StoredConnector, ToldEvent } from './stored-connector.ts';

/** What calls find within this time is one event, in milliseconds. */
const TOLD_EVERY_MS = 600_000;
/** A shorter secret has no hint: its last characters would be much of it. */
const HINTED_MIN_LENGTH = 12;

/** The name of a connector, in its Workspace. */
interface ConnectorKey {
  readonly workspaceId: string;
  readonly name: string;
}

/** The fields that an update sets. */
type Changed = Partial<Omit<StoredConnector, '_id' | 'workspace_id' | 'slot' | 'change' | 'commits'>>;

/** The connectors of all Workspaces. Nothing of them is cached: a change that was acknowledged holds for the next call. */
export class Connectors {
  readonly #connectors: Collection<StoredConnector>;
  readonly #keys: SecretKeys;
  readonly #most: ExactLimit;
  readonly #secrets: StoredSecrets<StoredConnector>;

  /** @param most how many a Workspace may have. */
  constructor(connectors: Collection<StoredConnector>, keys: SecretKeys, most: ExactLimit) {
    this.#connectors = connectors;
    this.#keys = keys;
    this.#most = most;
    this.#secrets = {
      collection: connectors,
      field: 'secret',
      keyPath: 'secret.key',
      // A change that began before would store the former secret again: its number makes it begin anew.
      update: ({ secret }, seal) => ({ $set: { secret: seal(secret!) }, $inc: { change: 1 } }),
    };
  }

  /** Throws WrongConfiguration when a key of a stored secret is missing. */
  async requireKeysInUse(): Promise<void> {
    await requireKeysInUse(this.#secrets, this.#keys);
  }

  /** Encrypts all secrets with the newest key. */
  async rekey(timed: Timed) {
    return await rekeySecrets(this.#secrets, this.#keys, timed);
  }

  /** The secret of a connector; undefined without one. @throws SecretUnreadable */
  secretOf({ secret, workspace_id, _id }: StoredConnector): string | undefined {
    return secret && openSecret(secret, [workspace_id, _id], this.#keys);
  }

  /** The connectors of a Workspace by name, removed ones included. */
  async list(workspace_id: string, timed: Timed): Promise<StoredConnector[]> {
    return await this.#connectors.find({ workspace_id }, within(timed)).sort({ name: 1 }).toArray();
  }

  /** A connector, also a removed one. @throws ActionError `connector_not_found` */
  async require(key: ConnectorKey, timed: Timed): Promise<StoredConnector> {
    const found = await this.#find(key, timed);
    if (found === null) throw new ActionError('connector_not_found');
    return found;
  }

  /** A connector that requests may use; undefined for a removed one. */
  async active(key: ConnectorKey, timed: Timed): Promise<StoredConnector | undefined> {
    const found = await this.#find(key, timed);
    return found?.status === 'active' ? found : undefined;
  }

  /**
   * Creates a connector, changes it or brings it back; an equal connector changes nothing. Each of several concurrent changes applies to
   * the outcome of the one before.
   *
   * @throws ActionError `invalid_request` for what is fixed, without a secret that it needs, and beyond the limit;
   *   `action_platform_unavailable` without keys for secrets.
   */
  async put(
    { workspaceId, userId }: SessionClaims,
    { secret: given, takesSecret, ...content }: RequestedConnector,
    call: Originated,
  ): Promise<StoredConnector> {
    if (this.#keys.newest === undefined) throw new ActionError('action_platform_unavailable');
    for (;;) {
      const present = await this.#find({ workspaceId, name: content.name }, call);
      if (present !== null) requireFixed(present, content);
      const keeps = present?.secret !== undefined && isDeepStrictEqual(present.auth, content.auth);
      if (takesSecret && given === undefined && !keeps) {
        const message = 'auth.secret: is required, as no secret is stored for this auth.';
        throw invalidRequest(message);
      }
      const isSameSecret = given === undefined || (keeps && given === this.#readable(present));
      const isSame = present !== null && isDeepStrictEqual({ ...present, ...content }, present);
      if (present?.status === 'active' && isSame && isSameSecret) return present;
      const now = new Date();
      const owner = [workspaceId, present?._id ?? newId('connector')] as const;
      const next = {
        ...content,
        status: 'active' as const,
        updated_at: now,
        updated_by: userId,
        ...(given !== undefined && {
          secret: sealSecret(given, owner, this.#keys),
          secret_hint: hintOf(given),
        }),
        ...(!takesSecret && { secret_hint: null }),
      };
      if (present !== null) {
        const told = { failing_at: '', tool_changed_at: '' } as const;
        const dropped = takesSecret ? told : { ...told, secret: '' as const };
        const changed = await this.#change(present, next, 'changed', call, dropped);
        if (changed !== undefined) return changed;
        continue;
      }
      const first = { _id: owner[1], workspace_id: workspaceId, created_at: now, created_by: userId };
      const inserted = await this.#insert({ secret_hint: null, ...first, ...next }, call);
      if (inserted !== undefined) return inserted;
    }
  }

  /** Removes a connector with its secret; again changes nothing. @throws ActionError `connector_not_found` */
  async remove(key: ConnectorKey, call: Originated): Promise<StoredConnector> {
    for (;;) {
      const present = await this.require(key, call);
      if (present.status === 'removed') return present;
      const updated_by = call.origin.user_id ?? present.updated_by;
      const next = { status: 'removed', secret_hint: null, updated_at: new Date(), updated_by } as const;
      const removed = await this.#change(present, next, 'removed', call, { secret: '' });
      if (removed !== undefined) return removed;
    }
  }

  /** Publishes an event that a call found, unless it was published a moment ago. */
  async tell(present: StoredConnector, event: ToldEvent): Promise<void> {
    const now = new Date();
    const before = present[`${event}_at`];
    if (before !== undefined && now.getTime() - before.getTime() < TOLD_EVERY_MS) return;
    await this.#change(present, { [`${event}_at`]: now }, event, { ...inBackground, origin: undefined });
  }

  async #find({ workspaceId, name }: ConnectorKey, timed: Timed): Promise<StoredConnector | null> {
    return await this.#connectors.findOne({ workspace_id: workspaceId, name }, within(timed));
  }

  /** The secret of a connector; undefined when it does not open, as another one has to take its place. */
  #readable(present: StoredConnector): string | undefined {
    try {
      return this.secretOf(present);
    } catch {
      return undefined;
    }
  }

  /** Stores a change of a connector as it was read; undefined when another one was stored in between. */
  async #change(
    { workspace_id, _id, change }: StoredConnector,
    fields: Changed,
    type: StoredConnector['commits'][string]['type'],
    call: Timed & { readonly origin: Originated['origin'] | undefined },
    dropped: Readonly<Record<string, ''>> = {},
  ): Promise<StoredConnector | undefined> {
    const next = change + 1;
    const { $set, $unset } = numberedCommit(next, { type, at: new Date(), ...call.origin });
    const update = { $set: { ...fields, change: next, ...$set }, $unset: { ...dropped, ...$unset } };
    const options = { returnDocument: 'after', ...within(call) } as const;
    const filter = { workspace_id, _id, change };
    return (await this.#connectors.findOneAndUpdate(filter, update, options)) ?? undefined;
  }

  /** Stores a new connector; undefined when another one took its name or its slot. */
  async #insert(
    fresh: Omit<StoredConnector, 'slot' | 'change' | 'commits'>,
    call: Originated,
  ): Promise<StoredConnector | undefined> {
    const { workspace_id } = fresh;
    const limit = { most: this.#most, has: `The Workspace has ${this.#most} connectors` };
    const slot = await slotWithin(this.#connectors, { workspace_id }, limit, call);
    const commit = { type: 'changed', at: fresh.created_at, ...call.origin } as const;
    const stored = { ...fresh, slot, change: 1, commits: { 1: commit } };
    return (await unlessTaken(this.#connectors.insertOne(stored, within(call)))) ? stored : undefined;
  }
}

/** Refuses another address: calls of operations that Owners approved would go elsewhere. */
function requireFixed(
  { kind, base_url }: StoredConnector,
  asked: Pick<StoredConnector, 'kind' | 'base_url'>,
): void {
  const changed = asked.kind !== kind ? 'kind' : asked.base_url !== base_url ? 'baseUrl' : undefined;
  if (changed === undefined) return;
  const message = `${changed}: is fixed for good; take another name for another one.`;
  throw invalidRequest(message);
}

function hintOf(secret: string): string | null {
  const characters = [...secret];
  return characters.length < HINTED_MIN_LENGTH ? null : characters.slice(-4).join('');
}
