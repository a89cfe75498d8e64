import { again, changed, run, type Scenarios } from './scenario.ts';
import { OUTPUT_DEFINITION } from './world.ts';

export const procedureScenarios: Scenarios = {
  procedure_not_found: (world, operation) => world.call(world.owner.token, operation.id, { slug: 'none' }),
  procedure_slug_taken: (world, operation) => again(world, operation, { title: 'Another' }),
};

export const mailScenarios: Scenarios = {
  mail_sender_required: async (world, operation) => {
    const { secret } = await world.routineGrant(world.owner.token, operation);
    const input = { ...operation.example, output_definition: OUTPUT_DEFINITION };
    return await world.call(secret, operation.id, input, run('1'));
  },
  mail_output_definition_required: async (world, operation) => {
    const data = { senderIds: [world.scheduledSender] };
    const { secret } = await world.routineGrant(world.owner.token, operation, { data });
    const input = { ...operation.example, sender_id: world.scheduledSender };
    return await world.call(secret, operation.id, input, run('1'));
  },
  mail_sender_not_authorized: (world, operation) => changed(world, operation, { sender_id: 'snd_none' }),
  mail_sender_not_eligible: (world, operation) =>
    changed(world, operation, { sender_id: world.scheduledSender }),
  mail_idempotency_conflict: (world, operation) => again(world, operation, { subject: 'Another' }),
};
