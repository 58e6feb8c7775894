import assert from "node:assert/strict";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";
import { axeViolations } from "../../support/page-checks.ts";

const widths = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 320 },
] as const;

browserTest("the console tries a sign-in of an application, and shows what it would get", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server } = console;
  const call = async (method: string, body: object) => {
    const { status, body: answer } = await server.connect(`service.${method}`, body);
    assert.equal(status, 200, JSON.stringify(answer));
    return answer;
  };
  const { organizationId } = console.owner;
  const { projectId } = await call("project.v2.ProjectService/CreateProject", { organizationId, name: "Shop" });
  const { applicationId } = await call("application.v2.ApplicationService/CreateApplication", {
    projectId,
    name: "Shop",
    oidcConfiguration: {
      redirectUris: ["https://shop.example/callback"],
      responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
      grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
      accessTokenType: "OIDC_TOKEN_TYPE_JWT",
    },
  });
  // What is under the bar at the top has no color that could be judged.
  const violations = async () => {
    await page.evaluate(() => scrollTo(0, 0));
    return axeViolations(page, widths);
  };
  const { page, open } = await console.openAs(console.owner);
  await open(`/applications/${applicationId}`);
  await page.getByRole("link", { name: "Test sign-in" }).click();
  const start = page.getByRole("button", { name: "Start the test" });
  await start.waitFor();
  assert.deepEqual(await violations(), []);

  const requests: string[] = [];
  page.context().on("request", (request) => requests.push(request.url()));
  const [popup] = await Promise.all([page.waitForEvent("popup"), start.click()]);
  await page.getByText("This is what the application would get.").waitFor();
  const idToken = page.getByRole("table", { name: "ID token" });
  const row = (name: string) => idToken.getByRole("row", { name: new RegExp(`^${name} `) });
  assert.match((await row("sub").textContent()) ?? "", new RegExp(console.owner.userId));
  assert.match((await row("email").textContent()) ?? "", /Missing: the setting “Put profile claims into the ID token”/);
  assert.match((await row("phone_number").textContent()) ?? "", /Missing: scope phone/);
  const userinfo = page.getByRole("table", { name: "UserInfo" });
  await userinfo.getByText("olga@mail.example").waitFor();
  await page.getByRole("table", { name: "Access token" }).getByText("client_id", { exact: true }).waitFor();
  assert.deepEqual(await violations(), []);
  // The window closes itself, or says that it may be closed.
  if (!popup.isClosed()) await popup.getByText("You can close this window.").waitFor();

  const end = requests.filter((url) => url.includes("/ui/console/test-sign-in"));
  assert.deepEqual(end, [`${server.origin}/ui/console/test-sign-in`]);
  assert.deepEqual(await page.evaluate(() => [localStorage.length, sessionStorage.length]), [0, 0]);
  console.assertQuiet();
});
