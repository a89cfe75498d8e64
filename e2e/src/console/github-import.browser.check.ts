import { toolName } from '@action-platform/contracts/ids';
import { createGrant } from '@action-platform/testing/http';
import { findDocument } from '@action-platform/toolchain';
import { expect, test } from '@jest/globals';
import { type McpSender, sendMessage } from '../mcp.ts';
import { describeConsole, untilLoaded } from './console-stack.ts';

/** GitHub's description of its API: 13 MB in OpenAPI 3.0. */
const DOCUMENT = { name: 'api.github.com.json', version: '23.0.2' };
const SOURCE = {
  from: 'npm:@octokit/openapi@23.0.2',
  sha256: '71a18407dd5e8464f4e0525daf03deabbe65abd9287d6adc7b5d98f516cd0d0c',
};
/** How many operations a Workspace takes, how many a page of the import has, and how many an agent gets. */
const [MOST, PAGE, FEW] = [300, 200, 10];

describeConsole("GitHub's API at the console", (stack) => {
  test('300 operations of its document are imported in one session, of which an agent finds the ten that it may call', async () => {
    const document = await findDocument(DOCUMENT, SOURCE, (line) => process.stderr.write(`${line}\n`));
    const page = await stack.openAs('demo-owner', '/console/connectors');
    await untilLoaded(page);
    await page.getByRole('button', { name: 'Add a connector' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByLabel('Name, fixed for good').fill('github');
    await dialog.getByLabel('Address, fixed for good').fill('https://api.github.com');
    await dialog.locator('[name=secret]').fill('no-secret-of-anybody');
    await dialog.getByRole('button', { name: 'Save the connector' }).click();
    await page.getByRole('link', { name: 'Import' }).click();
    await page.locator('input[type=file]').setInputFiles(document);
    await page.getByRole('button', { name: 'Read it' }).click();
    await page.getByText('Page 1', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Tick these', exact: true }).click();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('Page 2', { exact: true }).waitFor();
    const rows = page.locator('import-rows tbody tr');
    for (let row = 0; row < MOST - PAGE; row++) await rows.nth(row).getByRole('checkbox').first().check();
    await page.getByRole('button', { name: `Register ${MOST} operations` }).click();
    await page.getByText(`${MOST} of ${MOST} operations registered.`).waitFor({ timeout: 240_000 });
    stack.expectNothingForeign();

    const { operations } = await stack.owner.request('GET', '/api/v1/custom-operations');
    expect(operations).toHaveLength(MOST);
    const ids = (operations as { id: string }[]).slice(0, FEW).map(({ id }) => id);
    const toolsOf = async (sender: Partial<McpSender>) => {
      const { base_url: gateway, owner } = stack.demo;
      const { json } = await sendMessage({ gateway, token: owner.token, ...sender }, 'tools/list');
      return (json.result.tools as { name: string }[]).map(({ name }) => name).toSorted();
    };
    const expected = ids.map(toolName).toSorted();
    const { secret } = await createGrant(stack.demo.base_url, stack.demo.owner.token, {
      ...{ name: 'ten of them', operations: ids },
      maximumCadence: { invocations: 1, periodSeconds: 60 },
    });
    expect(await toolsOf({ token: secret })).toEqual(expected);
    expect(await toolsOf({ query: `?only=${ids.join(',')}` })).toEqual(expected);
  });
});
