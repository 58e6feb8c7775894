import assert from "node:assert/strict";
import { addPerson, sessionOf } from "../../../server/test/support/people/people.ts";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";
import { axeViolations } from "../../support/page-checks.ts";

const looks = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 320 },
] as const;

browserTest("a user saves a view of a list, opens, changes, renames and deletes it", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server, owner } = console;
  const ada = await addPerson(server, { username: "ada" });
  await server.connect("service.user.v2.UserService/LockUser", { userId: ada.userId });
  const { page, open } = await console.openAs(owner);
  const views = page.getByRole("button", { name: /^Views/ });
  const item = (name: string) => page.getByRole("menuitem", { name, exact: true });
  const view = (name: string) => page.getByRole("menuitemradio", { name, exact: true });
  const dialog = page.getByRole("dialog");
  const wide = () => page.setViewportSize({ width: 1280, height: 900 });
  const rows = page.getByRole("table", { name: "Users" }).getByRole("row");
  const search = () => Object.fromEntries(new URL(page.url()).searchParams);

  // By keyboard alone.
  await open("/users");
  await page.getByLabel("State").selectOption("Locked or blocked");
  await page.getByRole("row", { name: /ada Example/ }).waitFor();
  await views.focus();
  await page.keyboard.press("Enter");
  await item("Save as view").waitFor();
  await page.keyboard.press("Enter");
  await dialog.getByLabel("Name").waitFor();
  assert.deepEqual(await axeViolations(page, looks), []);
  await wide();
  await dialog.getByLabel("Name").fill("Locked <b>out</b>");
  await page.keyboard.press("Enter");
  await page.getByText("The view was saved.").waitFor();
  await page.getByRole("button", { name: "Views: Locked <b>out</b>" }).waitFor();
  assert.equal(search()["state"], "blocked");

  // What is changed since is said, and saved in the view.
  await page.getByRole("button", { name: "State" }).click();
  await page.getByRole("button", { name: "Views: Locked <b>out</b> (changed)" }).click();
  assert.deepEqual(await axeViolations(page, looks), []);
  await wide();
  await item("Update view").click();
  await page.getByRole("button", { name: "Views: Locked <b>out</b>", exact: true }).waitFor();
  await views.click();
  await item("Clear filters").click();
  await page.getByRole("button", { name: "Views", exact: true }).click();
  assert.ok((await rows.count()) > 2);
  await view("Locked <b>out</b>").click();
  await page.getByRole("row", { name: /ada Example/ }).waitFor();
  assert.deepEqual([search()["state"], search()["sort"]], ["blocked", "state"]);

  // From anywhere, by its name.
  await open("/");
  await page.keyboard.press("Control+k");
  await dialog.getByRole("combobox").fill("locked");
  await page.getByRole("option", { name: /Locked <b>out<\/b> View · Users/, selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Users" }).waitFor();
  await page.getByRole("row", { name: /ada Example/ }).waitFor();
  await views.click();
  await item("Rename view").click();
  await dialog.getByLabel("Name").fill("Blocked");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Views: Blocked" }).click();
  await item("Delete view").click();
  assert.deepEqual(await axeViolations(page, looks), []);
  await wide();
  await dialog.getByRole("button", { name: "Delete view" }).click();
  await page.getByRole("button", { name: "Views", exact: true }).waitFor();
  assert.deepEqual(search(), { state: "blocked", sort: "state" }, "the list stays as it is");
  assert.deepEqual(await page.evaluate(() => [localStorage.length, sessionStorage.length]), [0, 0]);
  console.assertQuiet();
});

browserTest("a view opens its own list with filters that the list takes, whatever was stored", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server, owner } = console;
  const { token } = await sessionOf(server, owner);
  const save = async (list: string, name: string, search: Readonly<Record<string, string>>) => {
    const body = { list: `SAVED_VIEW_LIST_${list}`, name, search: new URLSearchParams(search).toString() };
    const { status } = await server.rest("POST", "/v2/saved_views", { token, body });
    assert.equal(status, 201);
  };
  const gone = "399999999999999999";
  const address = { org: gone, view: gone, page: "7", redirect: "//evil.example", ["__proto__"]: "x", to: "/settings" };
  await save("USERS", "Hostile", {
    ...address,
    text: "</script><img src=x onerror=alert(1)>",
    state: "constructor",
    kind: "__proto__",
    sort: "javascript:alert(1)",
  });
  await save("ORGANIZATIONS", "Former state", { ...address, state: "constructor" });
  await save("APPLICATIONS", "Former kind", { ...address, state: "9", kind: "saml" });
  await save("EVENTS", "Of a former user", { ...address, who: gone, type: "user.forgotten", period: "constructor" });
  await save("SIGN_IN_ATTEMPTS", "Former application", { ...address, client: gone, user: gone, result: "toString" });
  await save("ADMINISTRATORS", "Former role", { ...address, role: "ORG_FORMER", level: "galaxy" });
  await save("JOBS", "Former jobs", { ...address, state: "valueOf" });
  const { page, open } = await console.openAs(owner);
  const expected: readonly (readonly [string, string, string, Readonly<Record<string, string>>])[] = [
    ["/users", "Users", "Hostile", { text: "</script><img src=x onerror=alert(1)>" }],
    ["/organizations", "Organizations", "Former state", {}],
    ["/applications", "Applications", "Former kind", {}],
    ["/activity", "Activity", "Of a former user", { type: "user.forgotten", who: gone }],
    ["/activity/sign-ins", "Sign-ins", "Former application", { user: gone, client: gone }],
    ["/administrators", "Administrators", "Former role", { role: "ORG_FORMER" }],
    ["/tools/jobs", "Jobs", "Former jobs", {}],
  ];
  for (const [path, title, name, filters] of expected) {
    await open("/");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill(name);
    await page.getByRole("option", { name, selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await page.getByRole("button", { name: `Views: ${name}`, exact: true }).waitFor();
    const { origin, pathname, searchParams } = new URL(page.url());
    const { view, ...shown } = Object.fromEntries(searchParams);
    assert.deepEqual([origin, pathname, shown], [server.origin, `/ui/console${path}`, filters]);
    assert.ok(view !== undefined && view !== gone, name);
    await page.locator("main:has([aria-busy=true])").waitFor({ state: "detached" });
    assert.equal(await page.getByRole("alert").count(), 0, `${name}: ${await page.locator("main").innerText()}`);
  }
  // As an address that anyone can write.
  await open("/organizations?state=constructor&sort=x&view=1");
  await page.getByRole("button", { name: "Views", exact: true }).waitFor();
  await page.getByRole("row", { name: /Doorward/ }).waitFor();
  console.assertQuiet();
});
