import { addOrganization } from "../../../server/test/support/people/people.ts";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";

browserTest("the console says when a user was invited, until when, and sends it again", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server, owner } = console;
  const organizationId = await addOrganization(server, "Acme");
  const { page, open } = await console.openAs(owner);
  const human = { profile: { givenName: "Ina", familyName: "Vited" }, email: { email: "ina@acme.example" } };
  const { body } = await server.connect("service.user.v2.UserService/CreateUser", { organizationId, human });
  await open(`/users/${body.id}`);
  await page.getByText("An invitation lets them choose one.").waitFor();
  await page.getByRole("button", { name: "Send invitation" }).click();
  await page.getByText(/An invitation was issued on .* and is valid until/).waitFor();
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("Invitation sent").first().waitFor();
  await page.getByRole("button", { name: "Actions for this user" }).click();
  await page.getByRole("menuitem", { name: "Send invitation again" }).waitFor();
  console.assertQuiet();
});
