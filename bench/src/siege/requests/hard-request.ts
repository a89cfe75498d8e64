/** The largest body that a gateway takes, in bytes. */
export const MAX_BODY = 2_097_152;

/** A request that is hard work for some part of the platform. */
export interface HardRequest {
  /** What it is, as reports call it. */
  readonly label: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: string;
  /** How often it is chosen, beside the others. */
  readonly weight: number;
}

/** What the requests are about: made before. */
export interface Surroundings {
  readonly collectionId: string;
  /** Collections of the Workspace, as many as a grant may list. */
  readonly collectionIds: readonly string[];
  /** A Record of the largest payload, of tiny members, to be replaced and patched; and one that is only read. */
  readonly changed: RecordReference;
  readonly largest: RecordReference;
  /** A Collection of Records that fill a page: by their number, and by their bytes. */
  readonly pageOfMany: string;
  readonly pageOfLarge: string;
  /** A Record with a long history. */
  readonly history: RecordReference;
}

interface RecordReference {
  readonly collection_id: string;
  readonly record_id: string;
}

/** A call of an operation with this text as its input. */
export function call(operation: string, label: string, body: string, weight = 1): HardRequest {
  return {
    label: `${operation.replace(/^.*\./, '')}: ${label}`,
    method: 'POST',
    path: `/api/v1/operations/${operation}`,
    body,
    weight,
  };
}

/** Bodies of an object with these members, as they are, and those of the text. */
export function body(members: object, name: string, text: string): string {
  return `${JSON.stringify(members).slice(0, -1)},"${name}":${text}}`;
}
