import assert from "node:assert/strict";
import { callWith, consoleToken, openConsole, signedInBrowser, startConsole } from "../console/support.ts";
import type { Ending, Engine } from "../support/databases/databases.ts";
import type { OidcServer } from "../support/oidc/oidc.ts";
import type { TestBrowser } from "../support/sign-in/test-browser.ts";

const service = "/service.test_sign_in.v2.TestSignInService";

/** An administrator with a browser in which they are signed in to the console. */
interface Tester {
  readonly browser: TestBrowser;
  create(given: object): ReturnType<typeof callWith>;
  finish(given: object): ReturnType<typeof callWith>;
  /** Prepares a test of the application, and returns its id and address. */
  prepare(given: object): Promise<{ readonly id: string; readonly path: string }>;
}

export interface TestingServer {
  readonly server: OidcServer;
  /** Signs a user in with a browser of their own. */
  testerOf(person?: { readonly userId: string; readonly password: string }): Promise<Tester>;
}

/** Starts a server with a console in which users try applications. */
export async function startTesting(t: Ending, engine: Engine): Promise<TestingServer> {
  const server = await startConsole(t, { engine });
  const clientId = await openConsole(server);
  return {
    server,
    async testerOf(person) {
      const browser = await signedInBrowser(server, person);
      const token = await consoleToken(server, browser, clientId);
      const create = (given: object) => callWith(server, token, `${service}/CreateTestSignIn`, given);
      return {
        browser,
        create,
        finish: (given) => callWith(server, token, `${service}/FinishTestSignIn`, given),
        async prepare(given) {
          const { status, body } = await create({ scopes: ["openid"], ...given });
          assert.equal(status, 200, JSON.stringify(body));
          return body;
        },
      };
    },
  };
}

/** Address at which every test ends. */
export const endOfTests = "/ui/console/test-sign-in";

interface Note {
  readonly name: string;
  readonly reason: string;
  readonly detail?: string;
}

/** Returns the notes of claims as `reason detail`, by name. */
export const notesOf = ({ notes }: { readonly notes: readonly Note[] }): Readonly<Record<string, string>> =>
  Object.fromEntries(
    notes.map(({ name, reason, detail = "" }) => [name, `${reason.replace("CLAIM_REASON_", "")} ${detail}`.trim()]),
  );
