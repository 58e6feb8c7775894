import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { Ending } from "../../server/test/support/databases/databases.ts";
import { addPerson, appoint, type Person, sessionOf } from "../../server/test/support/people/people.ts";
import { startServer, type TestServer } from "../../server/test/support/servers/server.ts";
import { adoptSession } from "../../server/test/support/sign-in/adopt-session.ts";

/** A console in a browser, as one user has it. */
interface OpenConsole {
  readonly page: Page;
  /** Opens a page of the console by its address below `/ui/console`, and waits for its title. */
  open(path: string): Promise<void>;
}

/** A server whose console is used by one or several users. */
export interface ConsoleServer {
  readonly server: TestServer;
  /** An owner of the instance, next to the service account that the server begins with. */
  readonly owner: Person;
  /** Opens the console in a browser in which the user is signed in; in English, as wide as a desk by default. */
  openAs(person: Person, width?: number, locale?: string): Promise<OpenConsole>;
  /** Asserts that no page wrote an error to the browser's console, but for answers of this status that it expects. */
  assertQuiet(expected?: RegExp): void;
}

/** Starts a server with an owner of the instance, for tests of the console in a browser. */
export async function startConsole(t: Ending, browser: Browser): Promise<ConsoleServer> {
  const server = await startServer(t, { now: Date.now() });
  const owner = await addPerson(server, { username: "olga" });
  await appoint(server, owner, { instance: true }, ["IAM_OWNER"]);
  const complaints: string[] = [];
  return {
    server,
    owner,
    async openAs(person, width = 1280, locale = "en") {
      const { sessionId } = await sessionOf(server, person);
      const [name = "", value = ""] = (await adoptSession(server, sessionId)).cookie.split("=", 2);
      const context = await browser.newContext({ locale, viewport: { width, height: 900 } });
      t.after(() => context.close());
      await context.addCookies([{ name, value, url: server.origin }]);
      const page = await context.newPage();
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(`${message.text()} ${message.location().url}`);
      });
      page.on("pageerror", (error) => complaints.push(error.message));
      return {
        page,
        async open(path) {
          await page.goto(`${server.origin}/ui/console${path}`);
          await page.locator("main h1").waitFor();
        },
      };
    },
    assertQuiet(expected) {
      assert.deepEqual(
        complaints.filter((complaint) => expected?.test(complaint) !== true),
        [],
      );
    },
  };
}
