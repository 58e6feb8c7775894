import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { inspect } from "node:util";
import type { Browser, Page } from "playwright-core";
import { inboxOf } from "../../server/test/factor/support.ts";
import type { DeviceServer } from "../../server/test/oauth/device/support.ts";
import { addOrganization, addPerson, type NewPerson, type Person } from "../../server/test/support/people/people.ts";
import { changeSettings } from "../../server/test/support/servers/change-settings.ts";
import type { SignInClient } from "../../server/test/support/sign-in/sign-in-client.ts";
import { type Hand, keyboard, pointer } from "./hand.ts";
import { serveShop } from "./shop.ts";

/** What each flow is given. */
export interface Fixtures {
  readonly t: TestContext;
  readonly hand: Hand;
  readonly server: DeviceServer;
  readonly client: SignInClient;
  /** Whether the page has scripts: without them a new password is entered twice. */
  readonly hasScript: boolean;
  /** Suffix of the usernames of this walk, so that two walks share a server. */
  readonly suffix: "p" | "k";
}

/** What a user does from beginning to end; a control that they do not get to see makes it fail. */
export type Flows = Readonly<Record<string, (fixtures: Fixtures) => Promise<void>>>;

const modes = {
  "without JavaScript": { use: pointer, hasScript: false, suffix: "p" },
  "by keyboard alone": { use: keyboard, hasScript: true, suffix: "k" },
} as const;

type Mode = keyof typeof modes;

/** A browser in which several users walk, one after the other. */
interface Walker {
  readonly page: Page;
  readonly complaints: string[];
  close(): Promise<void>;
}

async function startWalker(browser: Browser, mode: Mode): Promise<Walker> {
  const context = await browser.newContext({ javaScriptEnabled: modes[mode].hasScript, locale: "en" });
  const complaints: string[] = [];
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await serveShop(page);
  return { page, complaints, close: () => context.close() };
}

/**
 * Walks every flow twice, each time without anything that another left behind: without JavaScript, and by keyboard
 * alone.
 */
export async function walkFlows(
  t: TestContext,
  browser: Browser,
  flows: Flows,
  at: Pick<Fixtures, "server" | "client">,
): Promise<void> {
  const walk = async ({ page, complaints }: Walker, mode: Mode, flow: (fixtures: Fixtures) => Promise<void>) => {
    const { use, hasScript, suffix } = modes[mode];
    // Cookies are all that pages keep: they use no storage.
    await page.context().clearCookies();
    complaints.length = 0;
    await flow({ t, hand: use(page), ...at, hasScript, suffix });
    // A user who is quicker than the page keeps the focus where they are.
    assert.deepEqual(
      complaints.filter((complaint) => !complaint.startsWith("Autofocus processing was blocked")),
      [],
    );
  };
  const failures: string[] = [];
  for (const mode of ["without JavaScript", "by keyboard alone"] as const) {
    // Most of a walk is waiting for pages, so several users walk at a time.
    const waiting = Object.entries(flows);
    const walkSome = async (): Promise<void> => {
      let walker: Walker | undefined;
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [name, flow] = next;
        walker ??= await startWalker(browser, mode);
        try {
          await walk(walker, mode, flow);
        } catch (error) {
          failures.push(`${name}, ${mode}: ${inspect(error)}`);
          await walker.close();
          walker = undefined;
        }
      }
      await walker?.close();
    };
    await Promise.all([walkSome(), walkSome(), walkSome()]);
  }
  assert.deepEqual(failures, []);
}

export const emailOf = ({ suffix }: Fixtures, who: string): string => `${who}-${suffix}@mail.example`;

export const somebody = ({ server, suffix }: Fixtures, who: string, more: Partial<NewPerson> = {}): Promise<Person> =>
  addPerson(server, { ...more, username: `${who}-${suffix}` });

/** Makes an organization of this walk with login settings of its own. */
export async function organizationWith(
  { server, suffix }: Fixtures,
  name: string,
  settings: Parameters<typeof changeSettings<"login">>[2],
): Promise<{ readonly organizationId: string; readonly scope: string }> {
  const organizationId = await addOrganization(server, `${name} ${suffix}`);
  await changeSettings(server, "login", settings, organizationId);
  return { organizationId, scope: `openid urn:service:iam:org:id:${organizationId}` };
}

/** Starts at the application; returns what its code is exchanged with. */
export async function visit(
  { hand, server, client }: Fixtures,
  parameters: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { path, codeVerifier } = client.start(parameters);
  await hand.page.goto(server.origin + path);
  return codeVerifier;
}

/** Enters name and password at an application. */
export async function enter(fixtures: Fixtures, person: Person): Promise<void> {
  await visit(fixtures);
  await fixtures.hand.sees("Sign in");
  await name(fixtures, person);
}

export async function name({ hand }: Fixtures, { loginName, password }: Pick<Person, "loginName" | "password">) {
  await hand.fills({ "Email or username": loginName });
  await hand.presses("Continue");
  await hand.sees("Enter your password");
  await hand.fills({ Password: password });
  await hand.presses("Sign in");
}

/** Chooses a new password; without scripts it is entered twice, because the user cannot look at what they typed. */
export async function choosesPassword({ hand, hasScript }: Fixtures, label: string, password: string): Promise<void> {
  await hand.fills({ [label]: password });
  if (!hasScript) await hand.fills({ "Confirm new password": password });
}

/** Returns the key that a page shows for an authenticator app. */
export const shownKey = async ({ hand }: Fixtures): Promise<string> =>
  ((await hand.page.locator("#totp-key code").textContent()) ?? "").replaceAll(" ", "");

/** Returns the address of the link in the newest message to a recipient. */
export async function linkTo(server: DeviceServer, recipient: string): Promise<string> {
  const [message] = await inboxOf(server, recipient);
  return message?.link ?? assert.fail(`no link for ${recipient}`);
}

/** Returns the code in the newest message to a recipient. */
export async function codeTo(server: DeviceServer, recipient: string): Promise<string> {
  const [message] = await inboxOf(server, recipient);
  return message?.code ?? /\b[0-9A-Z]{6,8}\b/.exec(message?.text)?.[0] ?? assert.fail(`no code for ${recipient}`);
}
