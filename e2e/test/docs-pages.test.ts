import assert from "node:assert/strict";
import { startServer } from "../../server/test/support/servers/server.ts";
import { browserTest } from "../support/browser.ts";
import { axeViolations, type Look, sidewaysScroll, smallTargets, unseenFocus } from "../support/page-checks.ts";

const looks: readonly Look[] = [
  { colorScheme: "light", width: 320 },
  { colorScheme: "dark", width: 1280 },
];
const method = "/docs/service.user.v2.UserService/CreateUser";
const paths = ["/docs", "/docs/service.session.v2.SessionService", method, "/docs/service.auth.v1.AuthService/Healthz"];

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
    await page.getByRole("link", { name: "UserService", exact: true }).click();
    await page.getByRole("link", { name: "CreateUser", exact: true }).click();
    await page.getByRole("link", { name: "CreateUserRequest.Human", exact: true }).first().click();
    assert.equal(page.url(), `${origin}${method}#service.user.v2.CreateUserRequest.Human`);
    assert.ok(await page.getByRole("heading", { name: "CreateUserRequest.Human" }).isVisible());
    await page.getByRole("link", { name: "API reference" }).click();
    assert.equal(page.url(), `${origin}/docs`);
  },
);
