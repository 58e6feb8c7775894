import assert from "node:assert/strict";
import { startServer } from "../../server/test/support/servers/server.ts";
import { browserTest } from "../support/browser.ts";
import { axeViolations, type Look, sidewaysScroll, smallTargets, unseenFocus } from "../support/page-checks.ts";

const looks: readonly Look[] = [
  { colorScheme: "light", width: 320 },
  { colorScheme: "dark", width: 1280 },
];
const method = "/docs/service.user.v2.UserService/CreateUser";
const paths = [
  "/docs",
  "/docs/guides/token",
  "/docs/guides/token-endpoint",
  "/docs/service.session.v2.SessionService",
  method,
  "/docs/service.auth.v1.AuthService/Healthz",
];

browserTest("the API reference: axe finds nothing, nothing scrolls sideways, the focus is seen", async (t, browser) => {
  const { origin } = await startServer(t);
  const page = await browser.newPage();
  const found: string[] = [];
  page.on("console", (message) => found.push(message.text()));
  page.on("pageerror", (error) => found.push(error.message));
  for (const path of paths) {
    await page.goto(origin + path);
    const wrong = [
      ...(await axeViolations(page, looks)),
      ...(await sidewaysScroll(page)),
      ...(await smallTargets(page)),
      ...(await unseenFocus(page, 100)),
    ];
    found.push(...wrong.map((what) => `${path}: ${what}`));
  }
  assert.deepEqual(found, []);
  await page.close();
});

browserTest(
  "the API reference is read without JavaScript, from the start page to a field's type",
  async (t, browser) => {
    const { origin } = await startServer(t);
    const context = await browser.newContext({ javaScriptEnabled: false });
    t.after(() => context.close());
    const page = await context.newPage();
    await page.goto(origin);
    await page.getByRole("link", { name: "API reference" }).click();
    await page.getByRole("main").getByRole("link", { name: "User", exact: true }).last().click();
    assert.equal(page.url(), `${origin}/docs/service.user.v2.UserService`);
    await page.getByRole("main").getByRole("link", { name: "CreateUser", exact: true }).last().click();
    // The languages of code are elements of the browser.
    await page.getByText("Python", { exact: true }).first().click();
    assert.ok(await page.getByText("import requests").isVisible());
    assert.equal(await page.getByRole("button", { name: "Search" }).isVisible(), false);
    await page.getByRole("link", { name: "CreateUserRequest.Human", exact: true }).first().click();
    assert.equal(page.url(), `${origin}${method}#service.user.v2.CreateUserRequest.Human`);
    assert.ok(await page.getByRole("heading", { name: "CreateUserRequest.Human" }).isVisible());
    await page.getByRole("link", { name: "API reference" }).last().click();
    assert.equal(page.url(), `${origin}/docs`);
  },
);

browserTest("the API reference is searched by the keyboard, and its code is copied", async (t, browser) => {
  const { origin } = await startServer(t);
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  t.after(() => context.close());
  const page = await context.newPage();
  const found: string[] = [];
  page.on("console", (message) => found.push(message.text()));
  page.on("pageerror", (error) => found.push(error.message));
  await page.goto(`${origin}/docs`);
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Methods, fields and errors" });
  await field.fill("<img src=x onerror=alert(1)>");
  await page.getByText("Nothing found.").waitFor();
  await field.fill("username_taken");
  await page
    .getByRole("option", { name: /user\.username_taken/ })
    .first()
    .waitFor();
  await field.fill("createus");
  await page.getByRole("option", { name: /^CreateUser/, selected: true }).waitFor();
  found.push(...(await axeViolations(page, looks)), ...(await sidewaysScroll(page)));
  await page.keyboard.press("ArrowDown");
  await page
    .getByRole("option", { name: /^CreateUser/, selected: false })
    .first()
    .waitFor();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${origin}${method}`);

  await page.getByText("Go", { exact: true }).first().click();
  await page.getByRole("button", { name: "Copy: Example request: Go" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^package main/);
  // The language stays on the next page.
  await page.goto(`${origin}/docs/guides/token`);
  assert.ok(await page.getByText("package main").first().isVisible());
  assert.deepEqual(found, []);
});
