import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { addOrganization, addPerson, type Person } from "../../../server/test/support/people/people.ts";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";
import { axeViolations } from "../../support/page-checks.ts";

const looks = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 320 },
] as const;

browserTest("the console runs one action on users that were selected, with each result", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server, owner } = console;
  const organizationId = await addOrganization(server, "Acme");
  const people: Person[] = [];
  for (const username of ["ada", "bob", "carl"]) people.push(await addPerson(server, { username, organizationId }));
  const stateOf = async (index: number): Promise<string> => {
    const { userId } = people[index] ?? {};
    return (await server.connect("service.user.v2.UserService/GetUserByID", { userId })).body.user.state;
  };
  const { page, open } = await console.openAs(owner);
  await open(`/users?org=${organizationId}`);
  const bar = page.getByRole("region", { name: "Actions" });
  const wide = () => page.setViewportSize({ width: 1280, height: 900 });

  // By keyboard: the box of a row, then the menu.
  const ada = page.getByRole("checkbox", { name: "Select ada Example" });
  await ada.focus();
  await page.keyboard.press("Space");
  await bar.getByText("Selected: 1").waitFor();
  await page.getByRole("checkbox", { name: "Select bob Example" }).check();
  await bar.getByText("Selected: 2").waitFor();
  assert.deepEqual(await axeViolations(page, looks), []);
  await wide();
  await bar.getByRole("button", { name: "Actions" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Lock users", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Dry run: try it without changing anything").check();
  assert.deepEqual(await axeViolations(page, looks), []);
  await wide();
  await dialog.getByRole("button", { name: "Start job" }).click();
  await page.getByRole("heading", { level: 1, name: "Lock users" }).waitFor();
  await page.getByText("2 succeeded, 0 failed, 0 left").waitFor();
  await page.getByText("Dry run").waitFor();
  assert.equal(await stateOf(0), "USER_STATE_ACTIVE");

  // What the list shows, as a file.
  await open(`/users?org=${organizationId}`);
  await page.getByRole("button", { name: "Download" }).click();
  const saving = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "CSV" }).click();
  const saved = await saving;
  assert.equal(saved.suggestedFilename(), "users.csv");
  const file = await text(await saved.createReadStream());
  assert.deepEqual(file.match(/\w+@mail[.]example/g), ["ada@mail.example", "bob@mail.example", "carl@mail.example"]);

  // All that match, with one that is locked already.
  await server.connect("service.user.v2.UserService/LockUser", { userId: people[1]?.userId });
  await open(`/users?org=${organizationId}`);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await bar.getByText("Selected: 3").waitFor();
  await page.getByRole("checkbox", { name: "Select bob Example" }).uncheck();
  await bar.getByRole("button", { name: "Select all 3 that match" }).click();
  await bar.getByText("Selected: 3").waitFor();
  await bar.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: "Lock users", exact: true }).click();
  await dialog.getByRole("button", { name: "Start job" }).click();
  await page.getByText("2 succeeded, 1 failed, 0 left").waitFor();
  assert.equal(await stateOf(0), "USER_STATE_LOCKED");
  await page.getByRole("combobox", { name: "Results" }).selectOption("Failed");
  const results = page.getByRole("table", { name: "Results" });
  await results.getByRole("row", { name: /bob.*Failed/ }).waitFor();
  assert.equal(await results.getByRole("row").count(), 2);
  assert.deepEqual(await axeViolations(page, looks), []);
  await wide();

  await page.getByRole("link", { name: "Jobs" }).first().click();
  await page
    .getByRole("table", { name: "Jobs" })
    .getByRole("row", { name: /Lock users.*Done/ })
    .first()
    .waitFor();
  assert.deepEqual(await axeViolations(page, looks), []);
  console.assertQuiet();
});
