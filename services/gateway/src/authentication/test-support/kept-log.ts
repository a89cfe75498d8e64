import type { Logger } from '@action-platform/service-host';

/** A line of a log, with its fields. */
interface Line {
  readonly level: 'info' | 'warn';
  readonly msg: string;
  readonly [about: string]: unknown;
}

/** A log that keeps its lines. */
export function keptLog(): { log: Logger; lines: Line[] } {
  const lines: Line[] = [];
  const writing = (bindings: object): object => {
    const write =
      (level: Line['level']) =>
      (...said: [object, string] | [string]) => {
        const about = typeof said[0] === 'string' ? {} : said[0];
        lines.push({ ...bindings, ...about, level, msg: String(said.at(-1)) });
      };
    return {
      info: write('info'),
      warn: write('warn'),
      child: (more: object) => writing({ ...bindings, ...more }),
    };
  };
  return { log: writing({}) as Logger, lines };
}
