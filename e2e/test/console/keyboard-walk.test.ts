import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { enter, visit } from "../../../server/test/login/support/sign-in.ts";
import { addPerson, type Person } from "../../../server/test/support/people/people.ts";
import type { TestServer } from "../../../server/test/support/servers/server.ts";
import { addClient } from "../../../server/test/support/sign-in/sign-in-client.ts";
import { browserTest } from "../../support/browser.ts";
import { startConsole } from "../../support/console.ts";
import { restOf } from "../../support/console-hand.ts";
import { call } from "../../support/console-tasks.ts";

const pages = resolve(import.meta.dirname, "../../../console/src/pages");

/** The addresses of the console, as its routes have them. */
const patterns = globSync("*/routes.ts", { cwd: pages }).flatMap((file) =>
  Array.from(readFileSync(join(pages, file), "utf8").matchAll(/path: "([^"]+)"/g), ([, path = ""]) => path),
);

browserTest("the Tab key goes through every page of the console, and the focus is seen", async (t, browser) => {
  const console = await startConsole(t, browser);
  const { server, owner } = console;
  const made = await fill(server, owner);
  const { page, open } = await console.openAs(owner);
  const rest = restOf(page);
  await open("/");
  await page.evaluate(watchFocus);
  const faults: string[] = [];
  for (const pattern of patterns) {
    const path = addressOf(pattern, made);
    await page.evaluate((address) => history.pushState({}, "", address), `/ui/console${path}`);
    await page.locator("main h1").waitFor();
    await rest();
    faults.push(...(await walk(page)).map((fault) => `${path}: ${fault}`));
  }
  assert.deepEqual(faults, []);
  console.assertQuiet();
});

/** Replaces the variable parts of an address by what is there; those of one kind have the same name. */
function addressOf(pattern: string, made: Readonly<Record<string, string>>): string {
  const special = made[pattern];
  if (special !== undefined) return special;
  return pattern.replace(/\$(\w+)/g, (_, name: string) => made[name] ?? assert.fail(`${pattern}: no ${name}`));
}

interface Walk {
  unseen: string[];
  reached: number;
  isOver: boolean;
}

/** Runs in the page: notes what takes the focus, whether it is seen there, and when the focus leaves the page. */
function watchFocus(): void {
  const watched = window as unknown as { walk: Walk };
  watched.walk = { unseen: [], reached: 0, isOver: false };
  const ring = (element: Element | null): number => {
    if (element === null) return 0;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle === "solid" ? Number.parseFloat(outlineWidth) : 0;
  };
  document.addEventListener("focusin", ({ target }) => {
    if (watched.walk.isOver || !(target instanceof Element) || target.matches("main, iframe")) return;
    watched.walk.reached++;
    const isSeen = Math.max(ring(target), ring(target.closest("label"))) >= 3;
    if (!isSeen) watched.walk.unseen.push(target.outerHTML.slice(0, 120));
  });
  document.addEventListener("focusout", ({ relatedTarget }) => {
    watched.walk.isOver ||= relatedTarget === null;
  });
}

/** The most controls that a page may have. */
const most = 160;

/** Goes from the top of a page by its skip link into its content, and through that to its end. */
async function walk(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    const watched = window as unknown as { walk: Walk };
    watched.walk = { unseen: [], reached: 0, isOver: false };
  });
  await page.keyboard.press("Tab");
  const first = await page.evaluate(() => document.activeElement?.className);
  await page.keyboard.press("Enter");
  const target = await page.evaluate(() => document.activeElement?.id);
  if (first !== "skip" || target !== "content") return [`the skip link leads from ${first} to ${target}`];
  for (let pressed = 0; pressed < most; pressed += 4) {
    for (let time = 0; time < 4; time++) await page.keyboard.press("Tab");
    const { unseen, reached, isOver } = await page.evaluate(() => (window as unknown as { walk: Walk }).walk);
    if (!isOver) continue;
    if (reached < 2) return ["nothing takes the focus"];
    return unseen.map((html) => `takes the focus unseen: ${html}`);
  }
  const at = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120));
  return [`the Tab key does not reach the end, and is at ${at}`];
}

const samlMetadata = `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://sp.example/saml">
<md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:AssertionConsumerService
 Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://sp.example/acs" index="0"/>
</md:SPSSODescriptor></md:EntityDescriptor>`;

/** Makes one of each thing that has a page; the ids by the names that addresses have for them. */
async function fill(server: TestServer, owner: Person): Promise<Readonly<Record<string, string>>> {
  const { organizationId } = owner;
  const projects = "project.v2.ProjectService";
  const applications = "application.v2.ApplicationService/CreateApplication";
  const { projectId } = await call(server, `${projects}/CreateProject`, { organizationId, name: "Shop" });
  await call(server, `${projects}/AddProjectRole`, { projectId, roleKey: "clerk", displayName: "Clerk" });
  const oidcConfiguration = { redirectUris: ["https://shop.example/callback"] };
  const { applicationId } = await call(server, applications, { projectId, name: "Shop", oidcConfiguration });
  const samlConfiguration = { metadataXml: btoa(samlMetadata) };
  const saml = await call(server, applications, { projectId, name: "Wiki", samlConfiguration });
  const group = await call(server, "group.v2.GroupService/CreateGroup", { organizationId, name: "Sales" });
  const target = { name: "Hook", endpoint: "https://hook.invalid/", timeout: "5s", restAsync: {} };
  const { id: targetId } = await call(server, "action.v2.ActionService/CreateTarget", target);
  const script = { name: "greet", script: "function greet(ctx, api) {}" };
  const { id: scriptId } = await call(server, "management.v1.ManagementService/CreateAction", script);
  const google = { name: "Google", clientId: "one.example", clientSecret: "secret-4711", providerOptions: {} };
  const { id: providerId } = await call(server, "admin.v1.AdminService/AddGoogleProvider", google);
  const ada = await addPerson(server, { username: "ada" });
  await enter(await visit(server, await addClient(server, {}, "Portal")), { ...ada, password: "wrong" });
  const { attempts } = await call(server, "sign_in_attempt.v2.SignInAttemptService/ListSignInAttempts", {});
  const job = { userIds: { userIds: [ada.userId] }, lock: {}, dryRun: true };
  const { job: started } = await call(server, "job.v2.JobService/CreateJob", job);
  const machine = { organizationId, username: "bot", machine: { name: "Bot" } };
  const bot = await call(server, "user.v2.UserService/CreateUser", machine);
  return {
    applicationId,
    "/applications/$applicationId/saml": `/applications/${saml.applicationId}/saml`,
    attemptId: attempts[0].id,
    targetId,
    scriptId,
    jobId: started.id,
    id: organizationId,
    projectId,
    kind: "google",
    providerId,
    document: "login",
    groupId: group.id,
    userId: ada.userId,
    "/users/$userId/credentials": `/users/${bot.id}/credentials`,
    "/activity/event": `/activity/event?kind=user&id=${ada.userId}&sequence=1`,
    "/tools/request": "/tools/request?method=service.user.v2.UserService%2FListUsers",
    "/automation/scripts": `/automation/scripts?org=${organizationId}`,
    "/automation/scripts/new": `/automation/scripts/new?org=${organizationId}`,
    "/automation/scripts/$scriptId": `/automation/scripts/${scriptId}?org=${organizationId}`,
    "/automation/triggers": `/automation/triggers?org=${organizationId}`,
  };
}
