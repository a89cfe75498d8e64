import type { GrantKind, RoutineScope } from '@action-platform/contracts/authority';
import type { Grant, MaximumCadence } from '@action-platform/contracts/resources';
import type { StoredGrant } from './stored-grant.ts';

type GrantOf<Kind extends GrantKind> = Extract<StoredGrant, { readonly kind: Kind }>;

/** The fields of a described grant that all kinds have. */
type CommonFields = Omit<Extract<Grant, { kind: 'operation' }>, 'kind' | 'operationScope' | 'trust'>;
type OwnFields<Kind extends GrantKind> = Kind extends GrantKind
  ? Omit<Extract<Grant, { kind: Kind }>, keyof CommonFields>
  : never;

/** What the service decides by the kind of a grant, except its creation. */
interface KindOfGrant<Kind extends GrantKind> {
  /** How many grants one query reads: a grant with a data scope may list thousands of ids, and takes up to 0.5 ms. */
  readonly readTogether: number;
  /** The fields that its Member and the Owners see of this kind alone. */
  ownFields(grant: GrantOf<Kind>): OwnFields<Kind>;
  /** The limits for the input of its calls; absent in a kind without a data scope. */
  scope?(grant: GrantOf<Kind>): RoutineScope;
  /** The most runs; absent in a kind that runs no job. */
  cadence?(grant: GrantOf<Kind>): MaximumCadence;
  /** The name of a grant that its Member has not named; absent in a kind without a default. */
  defaultName?(grant: GrantOf<Kind>): string;
}

export const kinds: { readonly [Kind in GrantKind]: KindOfGrant<Kind> } = {
  operation: {
    readTogether: 50,
    ownFields: ({ kind, operations, trust }) => ({
      kind,
      operationScope: operations[0]!,
      ...(trust && { trust }),
    }),
  },
  routine: {
    readTogether: 20,
    ownFields: ({ kind, operations, data, output_definition, maximum_cadence, trust }) => ({
      kind,
      operations: [...operations],
      data,
      outputDefinition: output_definition,
      maximumCadence: maximum_cadence,
      ...(trust && { trust }),
    }),
    scope: ({ data, output_definition }) => ({
      data,
      ...(output_definition !== null && { outputDefinition: output_definition }),
    }),
    cadence: ({ maximum_cadence }) => maximum_cadence,
  },
  agent: {
    readTogether: 20,
    ownFields: ({ kind, operations, data, client }) => ({ kind, operations: [...operations], data, client }),
    scope: ({ data }) => ({ data }),
    defaultName: ({ client }) => client.name,
  },
};

/** The decisions by the kind of this grant. */
export function kindOf({ kind }: StoredGrant): KindOfGrant<GrantKind> {
  return kinds[kind] as KindOfGrant<GrantKind>;
}
