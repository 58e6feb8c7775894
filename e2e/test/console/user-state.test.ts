import { addOrganization, addPerson } from "../../../server/test/support/people/people.ts";
import { changeSettings } from "../../../server/test/support/servers/change-settings.ts";
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

browserTest(
  "one filter of the console finds users who cannot sign in because something is blocked",
  async (t, browser) => {
    const console = await startConsole(t, browser);
    const { server, owner } = console;
    await changeSettings(server, "lockout", { maxPasswordAttempts: 1 });
    const ada = await addPerson(server, { username: "ada" });
    const checks = { user: { userId: ada.userId }, password: { password: "wrong" } };
    await server.rest("POST", "/v2/sessions", { body: { checks } });
    const { page, open } = await console.openAs(owner);
    await open("/users");
    await page.getByRole("row", { name: /olga Example/ }).waitFor();
    await page.getByLabel("State").selectOption("Locked or blocked");
    await page.getByRole("row", { name: /olga Example/ }).waitFor({ state: "detached" });
    await page.getByRole("row", { name: /ada Example.*Password blocked/ }).waitFor();
    console.assertQuiet();
  },
);
