import { OUTPUT_DEFINITION } from './fixture.ts';
import { again, changed, run, type Scenarios } from './scenario.ts';

export const knowledgeScenarios: Scenarios = {
  knowledge_file_not_found: (fixture, operation) =>
    fixture.call(fixture.owner.token, operation.id, { key: 'fil_none' }),
};

export const procedureScenarios: Scenarios = {
  procedure_not_found: (fixture, operation) =>
    fixture.call(fixture.owner.token, operation.id, { slug: 'none' }),
  procedure_slug_taken: (fixture, operation) => again(fixture, operation, { title: 'Another' }),
};

export const mailScenarios: Scenarios = {
  mail_sender_required: async (fixture, operation) => {
    const { secret } = await fixture.routineGrant(fixture.owner.token, operation);
    const input = { ...operation.example, output_definition: OUTPUT_DEFINITION };
    return await fixture.call(secret, operation.id, input, run('1'));
  },
  mail_output_definition_required: async (fixture, operation) => {
    const data = { senderIds: [fixture.scheduledSender] };
    const { secret } = await fixture.routineGrant(fixture.owner.token, operation, { data });
    const input = { ...operation.example, sender_id: fixture.scheduledSender };
    return await fixture.call(secret, operation.id, input, run('1'));
  },
  mail_sender_not_authorized: (fixture, operation) => changed(fixture, operation, { sender_id: 'snd_none' }),
  mail_sender_not_eligible: (fixture, operation) =>
    changed(fixture, operation, { sender_id: fixture.scheduledSender }),
  mail_idempotency_conflict: (fixture, operation) => again(fixture, operation, { subject: 'Another' }),
};
