/**
 * The configuration of a process is wrong, and a restart does not help. The message is one line that names every problem.
 */
export class WrongConfiguration extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Wrong configuration: ${problems.join('; ')}. See docs/configuration.md.`);
    this.name = 'WrongConfiguration';
    this.problems = problems;
  }
}

/** The exit code of a process with a wrong configuration (EX_CONFIG of sysexits.h), which a supervisor should not restart. */
export const WRONG_CONFIGURATION_EXIT = 78;
