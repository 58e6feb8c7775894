import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { hours, minutes } from "../../../src/base/clock.ts";
import { Fault } from "../../../src/base/fault.ts";
import { Secret } from "../../../src/base/secret.ts";
import { sql } from "../../../src/database/index.ts";
import { isFreshCaller, mayActForUser } from "../../../src/domain/session/index.ts";
import { completeSetup, issueSetupLink } from "../../../src/domain/setup/index.ts";
import { findSignIn } from "../../../src/domain/sign-in/index.ts";
import { confirmSignUp } from "../../../src/domain/sign-up/index.ts";
import { arrive, knowProvider, provenAttempt, startAttempt } from "../../identity-provider/attempts.ts";
import { codeTo, grace, instanceOf, isAsked } from "../../login/support/sign-up.ts";
import { setProviderState } from "../../support/identity-provider/identity-providers.ts";
import { startTestProvider } from "../../support/identity-provider/test-provider.ts";
import { testCall } from "../../support/operations/call.ts";
import { noScripts } from "../../support/operations/no-scripts.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";
import { type Estate, endingsOf, wordsOf } from "./estate.ts";
import type { Kind, Made } from "./one-time.ts";

/** The link of the first administrator; an instance has one until there was one. */
const setupLink = (createInstance: () => Promise<string>): Kind => ({
  name: "link of the first administrator",
  covers: ["setup_link"],
  refusals: ["setup.closed", "setup.code_invalid"],
  make: async (estate) => {
    const { domain } = estate.server.app;
    const instanceId = await createInstance();
    const callOf = (id: string) => testCall({ instanceId: id, now: domain.clock() });
    const makeNext = async (): Promise<Made> => {
      const secret = await issueSetupLink(domain, callOf(instanceId));
      assert.ok(secret, "an instance without an administrator gives a link");
      const present = (text: string, id: string): Promise<string> =>
        completeSetup(domain, callOf(id), {
          username: "admin",
          profile: { givenName: "A", familyName: "B" },
          email: "admin@mail.example",
          password: estate.password,
          secret: new Secret(text),
        }).then(
          () => "done",
          ({ id: slug }: { id: string }) => slug,
        );
      return {
        text: secret.reveal(),
        lifetime: minutes(15),
        present: (text, at = "here") => present(text, at === "here" ? instanceId : estate.there.instanceId),
        renew: makeNext,
        endings: {},
      };
    };
    return makeNext();
  },
});

/**
 * What an attempt to sign in at an identity provider is known by: to the provider, and to the application afterwards.
 */
function attempts(t: TestContext): Kind[] {
  let known: Promise<{ provider: Awaited<ReturnType<typeof startTestProvider>> }> | undefined;
  const offered: string[] = [];
  const begin = async (estate: Estate) => {
    known ??= startTestProvider(t, () => estate.server.clock.now).then((provider) => ({ provider }));
    const { provider } = await known;
    const idpId = await knowProvider(estate.server, provider);
    offered.push(idpId);
    await changeSettings(estate.server, "login", { identityProviderIds: [...offered] });
    return { provider, idpId };
  };
  const state: Kind = {
    name: "state of an attempt at an identity provider",
    covers: ["identity_intents.state_hash"],
    refusals: ["400", "404"],
    make: async (estate) => {
      const { provider, idpId } = await begin(estate);
      const back = provider.signIn(await startAttempt(estate.server, idpId));
      return {
        text: back.searchParams.get("state") ?? "",
        lifetime: minutes(30),
        present: async (text, at = "here") => {
          const url = new URL(back);
          url.searchParams.set("state", text);
          if (at === "there") {
            const { status } = await estate.ask("there", url.pathname + url.search, { method: "GET", token: null });
            return `${status}`;
          }
          const told = await arrive(url);
          return told.page === "https://login.example/good" ? "done" : `${told.status}`;
        },
        endings: { "its provider is deactivated": () => setProviderState(estate.server, idpId, "inactive") },
      };
    },
  };
  const proof: Kind = {
    name: "token of an attempt at an identity provider",
    covers: ["identity_intents.token_hash"],
    refusals: ["identity_intent.invalid"],
    userStates: ["face", "member"],
    make: async (estate, subject) => {
      const { provider, idpId } = await begin(estate);
      const person = subject?.person ?? (await estate.somebody("face"));
      const link = { idpLink: { idpId, userId: "p-1", userName: "pat" } };
      await estate.must(`/v2/users/${person.userId}/links`, link);
      const { idpIntentId, idpIntentToken } = await provenAttempt(estate.server, provider, idpId);
      const open = async (userId: string, token: string, at: "here" | "there" = "here") => {
        const checks = { user: { userId }, idpIntent: { idpIntentId, idpIntentToken: token } };
        return wordsOf(await estate.ask(at, "/v2/sessions", { body: { checks } }));
      };
      return {
        text: idpIntentToken,
        lifetime: hours(1),
        present: (text, at) => open(person.userId, text, at),
        presentAsOther: async (text) => open((await estate.somebody("face")).userId, text),
        endings: {
          ...endingsOf(estate, person),
          "the link is removed": () =>
            estate.must(`/v2/users/${person.userId}/links/${idpId}/p-1`, {}, { method: "DELETE" }),
          "its provider is deactivated": () => setProviderState(estate.server, idpId, "inactive"),
        },
      };
    },
  };
  return [state, proof];
}

/** The code that proves the address of an account which is only made with it. */
const signUpCode: Kind = {
  name: "code of an account that waits",
  covers: ["sign_up"],
  refusals: ["user.code_invalid", "gone"],
  make: async (estate) => {
    const { server } = estate;
    const { domain } = server.app;
    const begin = async () => {
      const email = `waiting-${domain.newId()}@mail.example`;
      const browser = new TestBrowser(server);
      const asked = await browser.submit(await browser.open("/ui/login/register"), { ...grace, email });
      assert.ok(isAsked(asked), asked.title);
      const rows = await domain.database.read.all<{ browserHash: string }>(
        sql`select browser_hash as "browserHash" from sign_ins where instance_id <> '' and login_name = ${email}`,
      );
      const [{ browserHash = "" } = {}] = rows;
      const instanceId = await instanceOf(server);
      const key = { browserHash, authRequestId: undefined };
      const signIn = await findSignIn(domain.database.read, instanceId, key, domain.clock());
      assert.ok(signIn);
      return { email, browser, asked, signIn, instanceId, browserHash };
    };
    const begun = await begin();
    const present = async ({ signIn, instanceId, browserHash }: typeof begun, code: string): Promise<string> => {
      const visit = { browserHash, authRequest: undefined, userAgent: {}, host: "localhost" };
      const call = testCall({ instanceId, now: domain.clock() });
      try {
        const { outcome } = await confirmSignUp(
          { ...domain, signInScripts: noScripts, mayActFor: mayActForUser, isFresh: isFreshCaller },
          call,
          visit,
          {
            signIn,
            code,
          },
        );
        return { signed_in: "done", next: "user.code_invalid", gone: "gone" }[outcome];
      } catch (error) {
        return error instanceof Fault ? error.id : assert.fail(error as Error);
      }
    };
    const toMade = async (): Promise<Made> => ({
      text: await codeTo(server, begun.email),
      lifetime: minutes(30),
      endings: {},
      present: (text, at = "here") =>
        present(at === "here" ? begun : { ...begun, instanceId: estate.there.instanceId }, text),
      presentAsOther: async (text) => present(await begin(), text),
      renew: async () => {
        server.clock.now += 31_000;
        await begun.browser.submit(begun.asked, {}, { action: "/send" });
        return toMade();
      },
    });
    return toMade();
  },
};

/** The rest: what is neither of a user nor of the protocols. */
export const kindsOfOthers = (t: TestContext, createInstance: () => Promise<string>): readonly Kind[] => [
  setupLink(createInstance),
  signUpCode,
  ...attempts(t),
];
