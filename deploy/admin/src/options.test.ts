import { expect, test } from '@jest/globals';
import { commands } from './commands.ts';
import { readInput } from './options.ts';

function read(typed: string) {
  const command = commands.find(({ name }) => typed.startsWith(`${name} `))!;
  return readInput(command.input, typed.slice(command.name.length + 1).split(' '));
}

test.each([
  ['member add --workspace ws_1 --user', "Option '--user <value>' argument missing"],
  ['member add --workspace ws_1 --user=', '--user needs a value.'],
  ['member add --workspace --user ada', "Option '--workspace' argument is ambiguous. Did you "],
  ['member add --workspace ws_1 --user ada --user bob', '--user may be given only once.'],
  ['member add --workspace ws_1 --user ada --role king', '--role: must be one of "owner", "member".'],
  ['member add --workspace ws_1 --user ada --colour red', "Unknown option '--colour'"],
  ['member add ada --workspace ws_1', "Unexpected argument 'ada'"],
  ['quota set --workspace ws_1 --bytes many', '--bytes: must be a number, not a string.'],
  ['quota set --workspace ws_1 --bytes 1.5', '--bytes: must be an integer, not a number with a fraction.'],
  ['quota set --workspace ws_1 --bytes=-1', '--bytes: must be at least 0.'],
  ['token --workspace ws_1 --user ada --expires-in 0', '--expires-in: must be at least 1.'],
  ['sender add --workspace ws_1 --email ada --display-name Ada', '--email: must be an e-mail address.'],
  [
    'sender add --workspace ws_1 --email a@b.org --display-name A',
    'either member or everyone must be given, not both.',
  ],
  [
    'sender add --workspace ws_1 --email a@b.org --display-name A --member ada --everyone',
    'either member or everyone must be given, not both.',
  ],
  [
    'sender add --workspace ws_1 --email a@b.org --display-name A --interactive=no',
    "Option '--interactive' does not take an argument",
  ],
])('%s is refused', (typed, reason) => {
  expect(() => read(typed)).toThrow(reason);
  expect(() => read(typed)).toThrow(/^.+$/);
});

test('options are read into the fields of the input, with their defaults', () => {
  expect(read('quota set --workspace ws_1 --bytes 0')).toEqual({ workspace: 'ws_1', bytes: 0 });
  expect(read('token --user=ada --workspace ws_1')).toEqual({
    workspace: 'ws_1',
    user: 'ada',
    expires_in: 43_200,
    fresh: false,
  });
  expect(
    read('sender add --workspace ws_1 --email a@b.org --display-name=-A- --member ada --member bob'),
  ).toEqual({
    workspace: 'ws_1',
    email: 'a@b.org',
    display_name: '-A-',
    member: ['ada', 'bob'],
    everyone: false,
    interactive: false,
    scheduled: false,
    provider: 'local',
  });
});
