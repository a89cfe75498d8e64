const { createHash } = require('node:crypto');
const { stripTypeScriptTypes } = require('node:module');

/**
 * Jest transform: the type stripping that Node itself does when it runs the services, so tests run what production
 * runs. Types become white space, so every position is kept and no source map is needed.
 */
module.exports = {
  /** @param {string} source */
  process: (source) => ({ code: stripTypeScriptTypes(source) }),

  /**
   * Stripped output may change with Node.
   * @param {string} source
   * @param {string} _path
   * @param {{ instrument: boolean }} options
   */
  getCacheKey: (source, _path, { instrument }) =>
    createHash('sha256').update(`${process.version} ${instrument}\0${source}`).digest('hex'),
};
