import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mail as mailService } from '../../service.ts';
import { graphMember } from '../../test-support/graph/graph-member.ts';
import { GraphStandIn } from '../../test-support/graph/graph-stand-in.ts';
import { TestMail } from '../../test-support/test-mail.ts';

const mail = new TestMail();
let graph: GraphStandIn;
beforeAll(async () => {
  graph = await GraphStandIn.trusted();
});
afterAll(async () => {
  await mail.stop();
  await graph.stop();
});

test("a person's sign-in outlives restarts and is shared by replicas, though each refresh token counts once", async () => {
  const { tokens } = graph;
  tokens.replacesRefreshTokens = true;
  let replica = await mail.startWith(mailService);
  const { mailbox: _, ...member } = await graphMember(mail, graph, `delegated:${tokens.signIn()}`);
  const accounts = (await mail.platform.database('mail')).db.collection('accounts');
  const given = tokens.given;
  const statuses: string[] = [];
  const send = async () => statuses.push((await mail.send(member)).result.status);
  await send();
  // The token of the sign-in is still valid.
  expect(tokens.given).toBe(given);
  for (let restart = 0; restart < 2; restart++) {
    const next = await mail.startWith(mailService);
    tokens.revokeTokens();
    for (let call = 0; call < 4; call++) await send();
    await replica.stop();
    replica = next;
    await send();
  }
  expect(new Set(statuses)).toEqual(new Set(['drafted']));
  expect(JSON.stringify(await accounts.find().toArray())).not.toContain('SECRET');
});
