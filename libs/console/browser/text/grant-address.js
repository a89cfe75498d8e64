/** The kinds of grants by the prefixes of their ids. @type {Record<string, string>} */
const GRANT_KINDS = { rgr: 'routine', agr: 'agent', ogr: 'operation' };

/** The address of a grant among the grants of its kind. @param {string} id */
export const grantAddress = (id) => `grants?kind=${GRANT_KINDS[id.slice(0, 3)]}&q=${id}`;
