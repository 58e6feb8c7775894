import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { hours, minutes } from "../../../src/base/clock.ts";
import { Secret } from "../../../src/base/secret.ts";
import { completeSetup, issueSetupLink } from "../../../src/domain/setup/index.ts";
import { arrive, knowProvider, provenAttempt, startAttempt } from "../../identity-provider/attempts.ts";
import { testCall } from "../../support/call.ts";
import { setProviderState } from "../../support/identity-providers.ts";
import { startTestProvider } from "../../support/test-provider.ts";
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
          ...{ username: "admin", profile: { givenName: "A", familyName: "B" }, email: "admin@mail.example" },
          ...{ password: estate.password, secret: new Secret(text) },
        }).then(
          () => "done",
          ({ id: slug }: { id: string }) => slug,
        );
      return {
        ...{ text: secret.reveal(), lifetime: minutes(15) },
        present: (text, at = "here") => present(text, at === "here" ? instanceId : estate.there.instanceId),
        renew: makeNext,
        endings: {},
      };
    };
    return makeNext();
  },
});

/** What an attempt to sign in at an identity provider is known by: to the provider, and to the application afterwards. */
function attempts(t: TestContext): Kind[] {
  let known: Promise<{ provider: Awaited<ReturnType<typeof startTestProvider>> }> | undefined;
  const begin = async (estate: Estate) => {
    known ??= startTestProvider(t, () => estate.server.clock.now).then((provider) => ({ provider }));
    const { provider } = await known;
    return { provider, idpId: await knowProvider(estate.server, provider) };
  };
  const state: Kind = {
    name: "state of an attempt at an identity provider",
    covers: ["identity_intents.state_hash"],
    refusals: ["400", "404"],
    make: async (estate) => {
      const { provider, idpId } = await begin(estate);
      const back = provider.signIn(await startAttempt(estate.server, idpId));
      return {
        ...{ text: back.searchParams.get("state") ?? "", lifetime: minutes(30) },
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
    make: async (estate) => {
      const { provider, idpId } = await begin(estate);
      const person = await estate.somebody("face");
      const link = { idpLink: { idpId, userId: "p-1", userName: "pat" } };
      await estate.must(`/v2/users/${person.userId}/links`, link);
      const { idpIntentId, idpIntentToken } = await provenAttempt(estate.server, provider, idpId);
      const open = async (userId: string, token: string, at: "here" | "there" = "here") => {
        const checks = { user: { userId }, idpIntent: { idpIntentId, idpIntentToken: token } };
        return wordsOf(await estate.ask(at, "/v2/sessions", { body: { checks } }));
      };
      return {
        ...{ text: idpIntentToken, lifetime: hours(1) },
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

/** The rest: what is neither of a user nor of the protocols. */
export const kindsOfOthers = (t: TestContext, createInstance: () => Promise<string>): readonly Kind[] => [
  setupLink(createInstance),
  ...attempts(t),
];
