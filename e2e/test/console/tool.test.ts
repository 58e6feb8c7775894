import { addOrganization, addPerson, appoint } from "../../../server/test/support/people/people.ts";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";

browserTest("the console suggests the permissions to explain by group, also at a project", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server, owner } = console;
  const organizationId = await addOrganization(server, "Acme");
  const { body } = await server.connect("service.project.v2.ProjectService/CreateProject", {
    organizationId,
    name: "Web shop",
  });
  const ada = await addPerson(server, { username: "ada", organizationId });
  await appoint(server, ada, { projectId: body.projectId }, ["PROJECT_OWNER"]);
  const { page, open } = await console.openAs(owner);
  const choose = async (label: string, text: string, name: string | RegExp) => {
    await page.getByRole("combobox", { name: label, exact: true }).fill(text);
    await page.getByRole("option", { name }).first().click();
  };
  await open("/tools/explain");
  await choose("User", "ada", /ada/);
  const what = page.getByRole("combobox", { name: "Permission or method" });
  await what.click();
  const list = page.getByRole("listbox", { name: "Permission or method" });
  await list.getByText("Administrators", { exact: true }).waitFor();
  await list.getByRole("option", { name: "user.write", exact: true }).waitFor();
  await choose("Permission or method", "UpdateAdmin", /UpdateAdministrator/);
  await choose("Permission or method", "project.wri", "project.write");
  await page.getByLabel("Level").selectOption("Project");
  await choose("Project", "Web", /Web shop/);
  await page.getByRole("button", { name: "Explain", exact: true }).click();
  await page.getByText("Yes, they may").waitFor();
  await page.getByLabel("Level").selectOption("Instance");
  await page.getByRole("button", { name: "Explain", exact: true }).click();
  await page.getByText("No, they may not").waitFor();
  console.assertQuiet();
});
