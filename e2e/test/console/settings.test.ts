import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { addOrganization } from "../../../server/test/support/people/people.ts";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";
import { axeViolations } from "../../support/page-checks.ts";

const light = [{ colorScheme: "light", width: 1280 }] as const;
const darkPhone = [{ colorScheme: "dark", width: 320 }] as const;

browserTest(
  "the console changes what was typed in settings, shows it as a call, and tells of conflicts",
  async (t, browser) => {
    const console = await startConsole(t, browser);
    const { server } = console;
    const { page, open } = await console.openAs(console.owner);
    const organizationId = await addOrganization(server, "Acme");
    const ctx = { orgId: organizationId };
    const read = async () =>
      (await server.rest("GET", `/v2/settings/password/complexity?ctx.orgId=${organizationId}`)).body;
    await open(`/settings/passwords?org=${organizationId}`);
    await page.getByText("From the instance", { exact: true }).waitFor();
    const inherited = (await read()).settings;

    await page.getByLabel("Minimum length").fill("15");
    await page.locator("form").getByRole("button", { name: "API" }).click();
    const code = page.getByRole("dialog").locator("pre");
    await code.getByText(`curl -sS -X PATCH '${server.origin}/v2/settings/password/complexity'`).waitFor();
    const curl = (await code.textContent()) ?? "";
    const sent = JSON.parse(/--json '([^']+)'/.exec(curl)?.[1] ?? "");
    assert.deepEqual([sent.ctx, sent.settings, sent.updateMask], [ctx, { minLength: "15" }, "minLength"]);
    assert.deepEqual((await read()).settings, inherited, "showing a change does not make it");
    await page.getByLabel("Show as").selectOption("TypeScript");
    await code.getByText("updatePasswordComplexitySettings({").waitFor();
    assert.match((await code.textContent()) ?? "", /minLength: 15n,/);
    assert.deepEqual(await axeViolations(page, light), []);
    await closeDialog(page);
    await save(page);
    await page.getByText("Own settings", { exact: true }).waitFor();
    await page.getByText(/The instance has: \d+\./).waitFor();
    const own = await read();
    assert.deepEqual([Number(own.settings.minLength), own.origin.differingFields], [15, "minLength"]);

    await page.getByRole("main").getByRole("button", { name: "API" }).first().click();
    await page.getByLabel("Show as").selectOption("Terraform");
    assert.match((await code.textContent()) ?? "", /_password_complexity_policy" "this" \{[^}]*min_length += 15/);
    await closeDialog(page);

    // Another administrator is faster.
    await server.rest("PATCH", "/v2/settings/password/complexity", {
      body: { ctx, settings: { requiresNumber: true }, updateMask: "requiresNumber" },
    });
    await page.getByLabel("Minimum length").fill("16");
    await save(page);
    const conflict = page.getByRole("dialog");
    await conflict.getByRole("row", { name: /A digit.*Off.*On.*Same/ }).waitFor();
    await conflict.getByRole("row", { name: /Minimum length.*15.*Same.*16/ }).waitFor();
    assert.deepEqual(await axeViolations(page, darkPhone), []);
    await conflict.getByRole("button", { name: "Save my changes" }).click();
    await conflict.waitFor({ state: "detached" });
    const both = (await read()).settings;
    assert.deepEqual([Number(both.minLength), both.requiresNumber], [16, true]);

    await page.getByRole("button", { name: "Use the instance’s settings again" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Use the instance’s settings again" }).click();
    await page.getByText("From the instance", { exact: true }).waitFor();
    assert.deepEqual((await read()).settings, inherited);
    // A key is created, and signs once it is told to.
    await open("/settings/keys");
    await page.getByRole("button", { name: "Create key", exact: true }).click();
    const next = page.getByRole("row", { name: /Published, not used yet/ });
    await next.getByRole("button", { name: /^Actions for key/ }).click();
    await page.getByRole("menuitem", { name: "Use for signing" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Use for signing" }).click();
    await page
      .getByRole("row", { name: /Signed tokens before/ })
      .first()
      .waitFor();
    // So does a SAML certificate: early, and at once.
    await open("/settings/saml-keys");
    await page.getByText("There is no certificate yet.").waitFor();
    assert.equal((await fetch(`${server.origin}/saml/v2/metadata`)).status, 200);
    await open("/settings/saml-keys");
    await page.getByRole("button", { name: "Start rotation" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Start rotation" }).click();
    await page.getByRole("row", { name: /Published, not used yet/ }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "The next key begins to sign" }).waitFor();
    assert.deepEqual(await axeViolations(page, light), []);
    await page.getByRole("button", { name: "Replace immediately" }).click();
    assert.deepEqual(await axeViolations(page, darkPhone), []);
    await page.getByLabel(/^Sign with the next key/).check();
    await page.getByRole("dialog").getByRole("button", { name: "Replace immediately" }).click();
    await page.getByRole("row", { name: /Published, not used yet/ }).waitFor({ state: "detached" });
    const { keys } = (await server.rest("GET", "/v2/saml_keys")).body;
    assert.deepEqual(
      keys.map(({ state }: { state: string }) => state),
      ["SAML_KEY_STATE_ACTIVE"],
    );
    console.assertQuiet(/status of 400/);
  },
);

const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();

const closeDialog = (page: Page) => page.getByRole("dialog").getByRole("button", { name: "Close" }).click();

browserTest("the console adds and removes the second factors that users may use", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server } = console;
  const { page, open } = await console.openAs(console.owner);
  const read = async () => (await server.rest("GET", "/v2/settings/login")).body.settings;
  const before = await read();
  await open("/settings/login");
  const factors = page.getByRole("group", { name: "Second factors that users may use" });
  await factors.getByLabel("Security key").uncheck();
  await factors.getByLabel("Code by email").check();
  assert.deepEqual(await axeViolations(page, darkPhone), []);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.locator("form").getByRole("button", { name: "API" }).click();
  const curl = (await page.getByRole("dialog").locator("pre").textContent()) ?? "";
  assert.equal(JSON.parse(/--json '([^']+)'/.exec(curl)?.[1] ?? "").updateMask, "secondFactors");
  await closeDialog(page);
  const saved = async () => {
    await Promise.all([page.waitForResponse(/UpdateLoginSettings/), save(page)]);
  };
  await saved();
  const kinds = (settings: { readonly secondFactors: string[] }) => new Set(settings.secondFactors);
  const expected = kinds(before);
  expected.delete("SECOND_FACTOR_TYPE_U2F");
  expected.add("SECOND_FACTOR_TYPE_OTP_EMAIL");
  const after = await read();
  assert.deepEqual(kinds(after), expected);
  assert.deepEqual(after, { ...before, secondFactors: after.secondFactors });

  await page.getByLabel("A passkey that verifies its user counts as two factors").uncheck();
  await saved();
  assert.deepEqual((await read()).multiFactors ?? [], []);
  console.assertQuiet();
});
