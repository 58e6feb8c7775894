import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { addPerson, appoint } from "../../../server/test/support/people/people.ts";
import type { TestServer } from "../../../server/test/support/servers/server.ts";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";
import { axeViolations } from "../../support/page-checks.ts";

const light = [{ colorScheme: "light", width: 1280 }] as const;
const darkPhone = [{ colorScheme: "dark", width: 320 }] as const;
const actions = "action.v2.ActionService";

browserTest("the console says which targets are called when, and what became of the calls", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server } = console;
  const { page, open } = await console.openAs(console.owner);
  await open("/automation");
  await button(page, "Create target").click();
  await page.getByLabel("Name", { exact: true }).fill("Orders");
  await page.getByLabel("Endpoint", { exact: true }).fill("https://hooks.invalid/orders");
  await page.getByLabel("Kind").selectOption({ label: "Tell it, without waiting" });
  await button(page, "Create target").click();
  await page.getByText("It is shown only this once.").waitFor();
  const shown = await page.getByRole("dialog").locator("code").innerText();
  assert.ok(shown.length > 20, "the key of the signatures");
  await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
  await heading(page, "Orders").waitFor();
  const targetId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const { target } = await call(server, `${actions}/GetTarget`, { id: targetId });
  assert.deepEqual([target.endpoint, target.timeout, target.restAsync], ["https://hooks.invalid/orders", "10s", {}]);
  assert.ok(!(await page.content()).includes(shown), "a key is shown once");

  // Only what was changed is sent.
  await page.getByLabel("Timeout (seconds)").fill("2.5");
  await button(page, "Save").click();
  await page.getByText("The changes were saved.").waitFor();
  const changed = await call(server, `${actions}/GetTarget`, { id: targetId });
  assert.equal(changed.target.timeout, "2.500s");
  assert.deepEqual(await axeViolations(page, light), []);

  await open("/automation/executions");
  await button(page, "Add execution").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("When").selectOption({ label: "A method of the API is called" });
  await dialog.getByRole("combobox", { name: "Method", exact: true }).fill("CreateUser");
  await page.getByRole("option", { name: /user\.v2\.UserService\/CreateUser/ }).click();
  await dialog.getByLabel("When").selectOption({ label: "Something happened" });
  await dialog.getByRole("combobox", { name: "Event", exact: true }).fill("user.created");
  await page.getByRole("option", { name: /^user\.created/ }).click();
  await dialog.getByRole("combobox", { name: "Add a target" }).fill("ord");
  await page.getByRole("option", { name: /Orders/ }).click();
  assert.deepEqual(await axeViolations(page, darkPhone), []);
  await page.setViewportSize({ width: 1280, height: 900 });
  await button(page, "Save").click();
  await page.getByRole("row", { name: /After user\.created Orders/ }).waitFor();
  const { executions } = await call(server, `${actions}/ListExecutions`, {});
  assert.deepEqual(
    executions.map(({ condition, targets }: { condition: object; targets: object }) => [condition, targets]),
    [[{ event: { event: "user.created" } }, [targetId]]],
  );

  const viewer = await addPerson(server, { username: "vera" });
  await open(`/automation/targets/${targetId}/deliveries`);
  await page.getByRole("row", { name: /user\.created/ }).waitFor();
  await open("/automation/failures");
  await page.getByRole("row", { name: /Delivers to targets/ }).waitFor();
  assert.deepEqual(await axeViolations(page, darkPhone), []);

  await appoint(server, viewer, { instance: true }, ["IAM_OWNER_VIEWER"]);
  const theirs = await console.openAs(viewer);
  await theirs.open(`/automation/targets/${targetId}`);
  await theirs.page.getByText("You need the permission action.target.write for this.").first().waitFor();
  assert.ok(await theirs.page.getByLabel("Name", { exact: true }).isDisabled());
  assert.match((await button(theirs.page, "Delete target").getAttribute("title")) ?? "", /action\.target\.delete/);
  console.assertQuiet();
});

browserTest("the console edits scripts of an organization, and says when they run", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server } = console;
  const { organizationId } = await call(server, "org.v2.OrganizationService/AddOrganization", { name: "Acme" });
  const grace = await addPerson(server, { username: "grace", organizationId });
  await appoint(server, grace, { organizationId }, ["ORG_OWNER"]);
  const { page, open } = await console.openAs(grace);
  // Their area begins with scripts: targets are those of the instance.
  await open("/automation");
  await page.getByText("There is no script yet.").waitFor();
  assert.equal(await link(page, "Targets").count(), 0);
  await button(page, "Create script").click();
  await page.getByLabel("Name", { exact: true }).fill("greet");
  await button(page, "Create script").click();
  await page.getByText("There is no function greet in the text.").waitFor();
  await page
    .getByLabel("JavaScript")
    .fill("function greet(ctx, api) {\n  api.v1.claims.setClaim('greeting', '<b>hi</b>');\n}");
  await button(page, "Create script").click();
  await heading(page, "greet").waitFor();
  assert.deepEqual(await axeViolations(page, darkPhone), []);
  await page.setViewportSize({ width: 1280, height: 900 });

  await link(page, "See where it runs").click();
  await button(page, "Actions for Before user information is written").click();
  await page.getByRole("menuitem", { name: "Change scripts" }).click();
  await page.getByRole("dialog").getByRole("combobox").fill("gre");
  await page.getByRole("option", { name: "greet" }).click();
  await button(page, "Save").click();
  await page.getByRole("row", { name: /Before user information is written.*greet/ }).waitFor();
  assert.deepEqual(await axeViolations(page, light), []);
  const headers = { "x-service-orgid": organizationId };
  const flow = await server.connect("service.management.v1.ManagementService/GetFlow", { type: "2" }, { headers });
  assert.deepEqual(
    flow.body.flow.triggerActions.map((one: { actions: { name: string }[] }) => one.actions.map(({ name }) => name)),
    [["greet"]],
  );
  console.assertQuiet();
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const link = (page: Page, name: string) => page.getByRole("main").getByRole("link", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });

async function call(server: TestServer, method: string, body: object) {
  const answer = await server.connect(`service.${method}`, body);
  assert.equal(answer.status, 200, `${method}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

browserTest("the word webhook leads to targets", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { page, open } = await console.openAs(console.owner);
  await open("/");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("webhooks");
  await page.getByRole("option", { name: /Create target/ }).waitFor();
  await page.getByRole("option", { name: /^Targets/ }).click();
  await page.getByText("Your HTTP endpoints (webhooks)").waitFor();
  console.assertQuiet();
});

browserTest("a question shows its call without making it, and where a token comes from", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server } = console;
  const target = { name: "Orders", endpoint: "https://hooks.invalid/orders", timeout: "10s", restAsync: {} };
  const { id } = await call(server, `${actions}/CreateTarget`, target);
  const { page, open } = await console.openAs(console.owner);
  await open(`/automation/targets/${id}`);
  await button(page, "Delete target").click();
  await page.getByRole("dialog").getByRole("button", { name: "API", exact: true }).click();
  const code = page.getByRole("dialog").locator("pre");
  await code.getByText(`curl -sS -X DELETE '${server.origin}/v2/actions/targets/${id}'`).waitFor();
  await page.getByText("doorward token --api").waitFor();
  assert.equal(await page.getByRole("link", { name: "API reference" }).getAttribute("href"), "/docs");
  await call(server, `${actions}/GetTarget`, { id });
  console.assertQuiet();
});
