import { expect, test } from '@jest/globals';
import { readOptions } from './options.ts';

test('each process has one replica by default', () => {
  expect(readOptions([])).toMatchObject({ help: false, replicas: { gateway: 1, mail: 1 } });
  expect(readOptions(['--replicas', 'mail=2,gateway=3']).replicas).toMatchObject({
    gateway: 3,
    mail: 2,
    grants: 1,
  });
});

test.each([['--help'], ['-h'], ['help'], ['--help', '--replicas', 'x']])('%s asks for help', (...args) => {
  expect(readOptions(args)).toMatchObject({ help: true });
});

test.each([
  [['--colour'], "Unknown option '--colour'"],
  [['--colour=red'], "Unknown option '--colour'"],
  [['-c'], "Unknown option '-c'"],
  [['colour'], "Unexpected argument 'colour'"],
  [['--replicas'], "Option '--replicas <value>' argument missing"],
])('%j is refused in one line', (args, reason) => {
  expect(() => readOptions(args)).toThrow(reason);
  expect(() => readOptions(args)).toThrow(/^.+; npm start -- --help lists the options\.$/);
});

test.each(['mail=0', 'mail=17', 'mail=x', 'mail', 'nonsense=2'])('%s replicas are refused', (replicas) => {
  expect(() => readOptions(['--replicas', replicas])).toThrow(/^--replicas takes name=count pairs .*\.$/);
});
