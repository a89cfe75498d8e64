import { recountQuota } from '@action-platform/contracts/calls';
import { describe, expect, test } from '@jest/globals';
import { TEN_BYTES } from '../test-support/crash-traces.ts';
import { recordStores, TestWorkspace } from '../test-support/test-workspace.ts';

const platform = recordStores(2);

describe('the quota, with many writers on two replicas', () => {
  test('admits exactly the pushes that fit, also when both replicas have reserved blocks before', async () => {
    const workspace = await TestWorkspace.create(platform);
    const [bytes, fitting] = [16 * 1024, 70];
    // Blocks leave and take as much room as the largest payload; the last pushes find neither.
    await workspace.setQuota(fitting * bytes + 1000);
    const payload = `{"a":"${'x'.repeat(bytes - 8)}"}`;
    const answers = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const own: Awaited<ReturnType<typeof workspace.push>>[] = [];
        while (own.at(-1)?.status !== 400) own.push(await workspace.push(payload));
        return own;
      }),
    );
    expect(answers.flat().filter(({ status }) => status === 200)).toHaveLength(fitting);
    const codes = answers.map((own) => own.at(-1)!.error.code);
    expect(new Set(codes)).toEqual(new Set(['record_store_quota_exceeded']));
    expect(await workspace.storedBytes()).toBe(fitting * bytes);
  });

  test('is never exceeded, writes that lose a race take no room, and a recount meanwhile finds no drift', async () => {
    const workspace = await TestWorkspace.create(platform);
    await workspace.setQuota(400);
    const ids = await Promise.all(Array.from({ length: 4 }, () => workspace.pushed(TEN_BYTES)));
    const write = async (writer: number) => {
      for (let n = 0; n < 12; n++) {
        const id = ids[(writer + n) % ids.length]!;
        if (n % 3 === 0) await workspace.push(TEN_BYTES, { idempotency_key: `${n}` });
        else if (n % 3 === 1) await workspace.replace(id, TEN_BYTES, { idempotency_key: `${n}` });
        else await workspace.replace(id, TEN_BYTES, { expected_version: n });
        const own = await workspace.push(TEN_BYTES);
        if (own.status !== 200 || writer % 2 === 0) continue;
        await workspace.archive(own.result.record.id);
        await workspace.delete(own.result.record.id);
      }
    };
    let isWriting = true;
    const drifts = new Set<number>();
    const recounting = (async () => {
      while (isWriting) {
        const input = { workspace: workspace.owner.workspaceId };
        const { stored_bytes, drift_bytes } = await platform.callAs('admin', recountQuota, input);
        expect(stored_bytes).toBeLessThanOrEqual(400);
        drifts.add(drift_bytes);
      }
    })();
    await Promise.all(Array.from({ length: 12 }, (_, writer) => write(writer)));
    isWriting = false;
    await recounting;
    expect([...drifts]).toEqual([0]);
    const { records } = (await workspace.list({ limit: 200 })).result;
    const revisions = records.reduce((sum, { version }) => sum + version, 0);
    expect(await workspace.storedBytes()).toBe(revisions * 10);
  });
});
