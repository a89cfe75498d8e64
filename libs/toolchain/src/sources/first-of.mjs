import { SourceUnavailable, ToolchainError } from '../errors.mjs';

/**
 * Asks one source after the other for a program; the first that has it wins.
 *
 * @param {string} title of the program
 * @param {string} advice what to do when no source has it
 * @param {ReadonlyArray<() => Promise<string | undefined>>} sources in order of preference; `undefined` and
 *   {@link SourceUnavailable} mean to ask the next one, any other error ends the search
 * @returns {Promise<string>} absolute path of the program
 * @throws {ToolchainError} when no source has it, saying why
 */
export async function firstOf(title, advice, sources) {
  const reasons = [];
  for (const source of sources) {
    try {
      const path = await source();
      if (path) return path;
    } catch (error) {
      if (!(error instanceof SourceUnavailable)) throw error;
      reasons.push(error.message);
    }
  }
  throw new ToolchainError(`No ${title} for this machine: ${reasons.join('; ')}. ${advice}`);
}
