/**
 * What a process was given cannot work: trying again does not help, somebody has to mend it. The message is one line that
 * names everything that is wrong.
 */
export class WrongConfiguration extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Wrong configuration: ${problems.join('; ')}. See docs/configuration.md.`);
    this.name = 'WrongConfiguration';
    this.problems = problems;
  }
}

/** The exit code of a process whose configuration is wrong (EX_CONFIG of sysexits.h): starting it again is of no use. */
export const WRONG_CONFIGURATION_EXIT = 78;
