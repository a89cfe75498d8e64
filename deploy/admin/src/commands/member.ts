import { addMember, removeMember, role, setMemberRole } from '@action-platform/contracts';
import type { Command, OptionValues } from '../command.ts';
import { operatorCall } from '../operator-call.ts';
import { oneOf, required } from '../values.ts';

const options = { workspace: { type: 'string' }, user: { type: 'string' } } as const;
const optionsWithRole = { ...options, role: { type: 'string' } } as const;

const memberOf = (values: OptionValues) => ({
  workspace: required(values, 'workspace'),
  user: required(values, 'user'),
});

export const memberAdd: Command = {
  name: 'member add',
  usage: '--workspace W --user U [--role owner|member]',
  options: optionsWithRole,
  run: async (values, tools) => {
    const wanted = oneOf(String(values.role ?? 'member'), 'role', role.options);
    return await operatorCall(tools, addMember, { ...memberOf(values), role: wanted });
  },
};

export const memberRemove: Command = {
  name: 'member remove',
  usage: '--workspace W --user U',
  options,
  run: async (values, tools) => await operatorCall(tools, removeMember, memberOf(values)),
};

export const memberRole: Command = {
  name: 'member role',
  usage: '--workspace W --user U --role owner|member',
  options: optionsWithRole,
  run: async (values, tools) => {
    const wanted = oneOf(required(values, 'role'), 'role', role.options);
    return await operatorCall(tools, setMemberRole, { ...memberOf(values), role: wanted });
  },
};
