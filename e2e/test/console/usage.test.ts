import assert from "node:assert/strict";
import { enter, signedIn, visit } from "../../../server/test/login/support/sign-in.ts";
import { countAll } from "../../../server/test/statistics/support/statistics.ts";
import { addOrganization, addPerson, appoint } from "../../../server/test/support/people/people.ts";
import { addClient } from "../../../server/test/support/sign-in/sign-in-client.ts";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";
import { axeViolations } from "../../support/page-checks.ts";

const looks = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 390 },
] as const;

browserTest("the home page has charts of what happened, with their numbers as tables", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server, owner } = console;
  const organizationId = await addOrganization(server, "Acme");
  const ada = await addPerson(server, { username: "ada", organizationId });
  await appoint(server, ada, { organizationId }, ["ORG_OWNER"]);
  const bob = await addPerson(server, { username: "bob" });
  await signedIn(server, ada);
  await signedIn(server, bob);
  await enter(await visit(server, await addClient(server)), { ...bob, password: "wrong" });

  const { page, open } = await console.openAs(owner);
  await countAll(server);
  await open("/");
  const chart = (title: string) => page.locator("figure.chart").filter({ has: page.getByText(title, { exact: true }) });
  const numberOf = (title: string) => chart(title).locator("figcaption strong").innerText();
  await chart("Sign-ins").waitFor();
  // Those above, and that of the console's user by a custom login.
  assert.deepEqual([await numberOf("Sign-ins"), await numberOf("Failed sign-ins")], ["3", "1"]);
  assert.equal(await numberOf("Active people"), "3");
  await chart("Sign-ins").getByText("Show as a table").click();
  const table = page.getByRole("table", { name: "Sign-ins", exact: true });
  assert.equal(await table.getByRole("row").count(), 31);
  const today = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" }).format(server.clock.now);
  await table.getByRole("row", { name: `${today} 3 0 0` }).waitFor();
  assert.deepEqual(await axeViolations(page, looks), []);
  await page.setViewportSize({ width: 1280, height: 900 });

  await page.getByRole("button", { name: "24 hours" }).click();
  await page.waitForURL(/range=24h/);
  await table.getByRole("row").nth(24).waitFor();
  await table.getByRole("row").nth(25).waitFor({ state: "detached" });
  assert.equal(await chart("Active people").count(), 0, "people are not counted by hour");
  await page.getByRole("button", { name: "12 months" }).click();
  await chart("Active people").waitFor();
  await table.getByRole("row").nth(13).waitFor({ state: "detached" });
  assert.equal(await table.getByRole("row").count(), 13);

  await open(`/?org=${organizationId}`);
  await chart("Sign-ins").waitFor();
  assert.deepEqual([await numberOf("Sign-ins"), await numberOf("Failed sign-ins")], ["1", "0"]);

  const own = await console.openAs(ada);
  await own.open(`/?org=${organizationId}`);
  await own.page.locator("figure.chart").first().waitFor();
  console.assertQuiet();
});
