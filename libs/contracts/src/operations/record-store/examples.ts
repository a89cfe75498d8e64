export const exampleIds = {
  collection: 'col_0198f2d0c4b17a3e9d51c2aa40e7b6f3',
  record: 'rec_0198f2d1a95e7c02b8e4d7f10c3a6e95',
};

export const exampleReference = { collection_id: exampleIds.collection, record_id: exampleIds.record };

export const exampleCollection = {
  id: exampleIds.collection,
  name: 'customers',
  description: 'One Record for each customer.',
  member_writes_enabled: true,
  created_at: '2026-05-01T09:30:00.000Z',
  created_by: 'olga',
};

/** A revision of the Record of the examples, one for each visit of the customer. */
export function exampleRevision(version: number) {
  return {
    version,
    payload: { name: 'Ada', visits: version },
    created_at: `2026-05-0${version}T10:00:00.000Z`,
    created_by: 'mika',
  };
}

/** The Record of the examples at this version. */
export function exampleRecord(version: number, state: 'active' | 'archived' = 'active') {
  const { created_at, created_by } = exampleRevision(1);
  const { payload, created_at: updated_at, created_by: updated_by } = exampleRevision(version);
  return {
    id: exampleIds.record,
    collection_id: exampleIds.collection,
    version,
    state,
    payload,
    created_at,
    created_by,
    updated_at,
    updated_by,
  };
}
