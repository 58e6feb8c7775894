import assert from "node:assert/strict";
import { addOrganization } from "../../../server/test/support/people/people.ts";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";
import { axeViolations, type Look, sidewaysScroll } from "../../support/page-checks.ts";

const looks: readonly Look[] = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 320 },
];
const markup = "<img src=x onerror=alert(1)>";

browserTest("the request builder reads as the user, and shows what comes back as text", async (t, browser) => {
  const console = await startConsole(t, browser);
  await addOrganization(console.server, markup);
  const { page, open } = await console.openAs(console.owner);
  await page.goto(`${console.server.origin}/docs/service.org.v2.OrganizationService/ListOrganizations`);
  await page.getByRole("link", { name: "Try it in the console" }).click();
  await page.getByRole("heading", { name: "ListOrganizations" }).waitFor();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const answer = page.getByRole("region", { name: "Answer" });
  await answer.waitFor();
  assert.ok((await answer.innerText()).includes(markup));
  assert.equal(await page.locator("img[src=x]").count(), 0);
  await page.getByText("200", { exact: true }).waitFor();
  await page.getByText("x-request-id").waitFor();
  const wrong = [...(await axeViolations(page, looks)), ...(await sidewaysScroll(page))];
  assert.deepEqual(wrong, []);

  // The list of methods is searched, and a link chooses a method and nothing else.
  const picker = page.getByRole("combobox", { name: "Method" });
  await picker.fill("user.v2 getuserbyid");
  await page.getByRole("option", { name: /GetUserByID/ }).click();
  await page.getByRole("heading", { name: "GetUserByID" }).waitFor();
  await page.getByLabel("userId").fill("1");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page
    .getByText("user.not_found")
    .or(page.getByText(/"code": "not_found"/))
    .first()
    .waitFor();
  await page.getByText("404", { exact: true }).waitFor();
  for (const named of ["../../ui/logout", "service.user.v2.UserService/Nothing", "__proto__/toString", markup]) {
    await open(`/tools/request?method=${encodeURIComponent(named)}`);
    await page.getByText("There is no such method.").waitFor();
  }
  console.assertQuiet(/404/);
});

browserTest("the request builder asks before it changes something", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server, owner } = console;
  const { page, open } = await console.openAs(owner);
  const sent: Promise<string>[] = [];
  page.on("request", (request) => {
    if (request.method() !== "POST" || !request.url().endsWith("/AddOrganization")) return;
    sent.push(
      request
        .allHeaders()
        .then(({ cookie, authorization = "" }) => `${cookie ?? "no cookie"}, ${authorization.split(" ", 1)[0]}`),
    );
  });
  await open("/tools/request?method=service.org.v2.OrganizationService/AddOrganization");
  await page.getByRole("button", { name: "JSON", exact: true }).click();
  const editor = page.getByRole("textbox", { name: "Body" });
  await editor.fill("{ this is no JSON");
  await page.getByText("This is not valid JSON.").waitFor();
  assert.ok(await page.getByRole("button", { name: "Send", exact: true }).isDisabled());
  await editor.fill('{"name": "Built by hand"}');
  const count = async (): Promise<number> => {
    const { status, body } = await server.rest("POST", "/v2/organizations/_search", { body: {} });
    assert.equal(status, 200);
    const names: readonly string[] = body.result.map(({ name }: { readonly name: string }) => name);
    return names.filter((name) => name === "Built by hand").length;
  };
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Built by hand").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  assert.equal(await count(), 0);
  assert.deepEqual(sent, []);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("200", { exact: true }).waitFor();
  assert.equal(await count(), 1);
  assert.deepEqual(await Promise.all(sent), ["no cookie, DPoP"]);

  await page.locator("form").getByRole("button", { name: "API", exact: true }).click();
  await page.getByRole("dialog").getByText("curl -sS").waitFor();
  await page.keyboard.press("Escape");

  // Secrets are sent, and not shown in code.
  await open("/tools/request?method=service.user.v2.UserService/SetPassword");
  await page.getByRole("button", { name: "JSON", exact: true }).click();
  await editor.fill('{"userId": "1", "newPassword": {"password": "hunter2-hunter2"}}');
  await page.locator("form").getByRole("button", { name: "API", exact: true }).click();
  await page.getByRole("dialog").getByText("curl -sS").waitFor();
  const code = await page.getByRole("dialog").innerText();
  assert.match(code, /"userId": "1"/);
  assert.doesNotMatch(code, /hunter2/);
  console.assertQuiet();
});
