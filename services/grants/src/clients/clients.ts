import { ActionError, invalidRequest } from '@action-platform/contracts/errors';
import type { AgentClient } from '@action-platform/contracts/resources';
import type { Cursors } from '@action-platform/sealing';
import { z } from 'zod';
import type { ClientDocuments } from './client-documents.ts';
import { type ClientMetadata, type MetadataProblem, mayRedirect, problemOf } from './client-metadata.ts';

/** The name under which registrations are sealed. */
const REGISTRATION = 'the registration of a client';

/** A sealed registration: its name, its address, its redirect URIs. */
const sealed = z.tuple([z.string(), z.string().nullable(), z.array(z.string())]);

/** The programs that sign in. Nothing of them is stored before a Member's consent: a registration is its own client_id. */
export class Clients {
  readonly #seals: Cursors;
  readonly #documents: ClientDocuments;

  constructor(seals: Cursors, documents: ClientDocuments) {
    this.#seals = seals;
    this.#documents = documents;
  }

  /** The client_id of a registration: the same for the same metadata. */
  register({ name, uri, redirectUris }: ClientMetadata): { clientId: string } | MetadataProblem {
    const content = JSON.stringify([name, uri ?? null, redirectUris]);
    return problemOf({ name, uri, redirectUris }) ?? { clientId: this.#seals.at(REGISTRATION, content) };
  }

  /**
   * The client with an id, which may be sent to this address.
   *
   * @param workspaceId the Workspace whose Member asks; undefined for a stranger.
   * @throws ActionError `invalid_request`, `action_platform_unavailable`
   */
  async find(id: string, redirectUri: string, workspaceId?: string): Promise<AgentClient> {
    const client = this.#documents.isAddress(id)
      ? await this.#documents.find(id, workspaceId)
      : this.#registered(id);
    if (client === undefined) throw invalidRequest('clientId: is no known program.');
    if (!mayRedirect(client, redirectUri))
      throw invalidRequest('redirectUri: is no address of this program.');
    const { name, uri } = client;
    return { id, name, ...(uri !== undefined && { uri }) };
  }

  #registered(id: string): ClientMetadata | undefined {
    try {
      const [name, uri, redirectUris] = sealed.parse(
        JSON.parse(this.#seals.positionIn(REGISTRATION, id) ?? ''),
      );
      return { name, redirectUris, ...(uri !== null && { uri }) };
    } catch (error) {
      if (error instanceof ActionError) return undefined;
      throw error;
    }
  }
}
