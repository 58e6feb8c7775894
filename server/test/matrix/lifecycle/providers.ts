import type { TestContext } from "node:test";
import { arrive, knowProvider, pages, provenAttempt, startAttempt } from "../../identity-provider/attempts.ts";
import { startTestProvider, type TestProvider } from "../../support/identity-provider/test-provider.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { TestBrowser } from "../../support/sign-in/test-browser.ts";
import { type Estate, endingsOf, wordsOf } from "../support/estate.ts";
import type { Holdings, Table } from "./table.ts";

/** What depends on an identity provider. */
export const providers = (t: TestContext): Table => {
  let known: Promise<TestProvider> | undefined;
  return {
    name: "an identity provider that ended signs nobody in, at whatever step somebody is",
    held: [
      "start",
      "return",
      "proof",
      "reading",
      "page",
      "button",
      "link",
      "session",
      "sign-in",
      "refresh",
      "another provider",
      "start at its organization's",
      "return from its organization's",
      "reading of its organization's",
    ],
    once: ["return", "proof", "page", "return from its organization's", "refresh"],
    grid: {
      //                                             s r p r p b   l s s r   a   s r r
      nothing: /*                                 */ ". . . . . .   . . . .   .   . . .",
      "the provider is deactivated": /*           */ "x x x x x x   . x x .   .   . . .",
      "the provider was deactivated for a while": /**/ ". . . . . .   . . . .   .   . . .",
      "the provider is deleted": /*               */ "x x x x x x   x x x .   .   . . .",
      "the login offers it no more": /*           */ ". . . . x x   . x x .   .   . . .",
      "the link is removed": /*                   */ ". . x . x .   x . . .   .   . . .",
      "its user is deactivated": /*               */ ". . x . x .   . x x x   .   . . .",
      "its user is locked": /*                    */ ". . x . x .   . x x x   .   . . .",
      "its user is deleted": /*                   */ ". . x . x .   x x x x   .   . . .",
      "its organization is deactivated": /*       */ ". . x . x .   . x x x   .   x x x",
      "its organization is deleted": /*           */ ". . x . x .   x x x x   .   x x x",
      "its organization forbids other providers": /**/ ". . . . x .   . x x .   .   . . .",
    },
    make: async (estate) => {
      known ??= startTestProvider(t, () => estate.server.clock.now);
      return makeAttempts(estate, await known);
    },
  };
};

async function makeAttempts(estate: Estate, provider: TestProvider): Promise<Holdings> {
  const { server, must, ask, form } = estate;
  const person = await estate.somebody("member");
  const { userId, organizationId } = person;
  const idpId = await knowProvider(server, provider);
  const another = await knowProvider(server, provider);
  await changeSettings(server, "login", { identityProviderIds: [idpId, another] });
  await must(`/v2/users/${userId}/links`, { idpLink: { idpId, userId: "p-1", userName: "pat" } });
  const open = async () => {
    const checks = { user: { userId }, idpIntent: await provenAttempt(server, provider, idpId) };
    return () => ask("here", "/v2/sessions", { body: { checks } });
  };
  const opened = await (await open())();
  const session = { sessionId: opened.body.sessionId, sessionToken: opened.body.sessionToken };
  const tokens = await server.tokens({ session, scope: "openid offline_access" });
  const proof = await open();
  const reading = readingOf(estate, await provenAttempt(server, provider, idpId));
  const own = await knowProvider(server, provider, { organizationId });
  const ownReading = readingOf(estate, await provenAttempt(server, provider, own));
  const ownBack = provider.signIn(await startAttempt(server, own));
  const back = provider.signIn(await startAttempt(server, idpId));
  const browser = new TestBrowser(server);
  const page = await browser.open("/ui/login?account=other");
  const pressed = await browser.submit(page, { provider: idpId }, { action: "/ui/login/provider" });
  const backOnPage = provider.signIn(pressed.address);

  const isDone = async (answering: Promise<Parameters<typeof wordsOf>[0]>): Promise<boolean> =>
    wordsOf(await answering) === "done";
  const isTaken = async (answer: URL) => (await arrive(answer)).parameters["token"] !== undefined;
  const isStarted = (id: string) => isDone(ask("here", "/v2/idp_intents", { body: { idpId: id, urls: pages } }));
  return {
    good: {
      start: () => isStarted(idpId),
      "another provider": () => isStarted(another),
      button: async () => {
        const { html } = await new TestBrowser(server).open("/ui/login?account=other");
        return html.includes(`value="${idpId}"`);
      },
      link: async () => {
        const { body } = await ask("here", `/v2/users/${userId}/links/_search`);
        return body.result?.length === 1;
      },
      session: () => isDone(ask("here", "/auth/v1/users/me", { method: "GET", token: session.sessionToken })),
      "sign-in": () =>
        server.signIn({ session }).then(
          () => true,
          () => false,
        ),
      reading,
      return: () => isTaken(back),
      "start at its organization's": () => isStarted(own),
      "reading of its organization's": ownReading,
      "return from its organization's": () => isTaken(ownBack),
      proof: () => isDone(proof()),
      page: async () => (await browser.open(backOnPage.pathname + backOnPage.search)).address === "/ui/login/signed-in",
      refresh: () => {
        const grant = { grant_type: "refresh_token", refresh_token: tokens["refresh_token"] ?? "" };
        return isDone(form("here", "/oauth/v2/token", grant, server.client.basic));
      },
    },
    endings: {
      nothing: async () => {},
      ...endingsOf(estate, person),
      "the provider is deactivated": () => must(`/admin/v1/idps/${idpId}/_deactivate`, {}),
      "the provider was deactivated for a while": async () => {
        await must(`/admin/v1/idps/${idpId}/_deactivate`, {});
        await must(`/admin/v1/idps/${idpId}/_reactivate`, {});
      },
      "the provider is deleted": () => must(`/admin/v1/idps/templates/${idpId}`, {}, { method: "DELETE" }),
      "the login offers it no more": () => must(`/admin/v1/policies/login/idps/${idpId}`, {}, { method: "DELETE" }),
      "the link is removed": () => must(`/v2/users/${userId}/links/${idpId}/p-1`, {}, { method: "DELETE" }),
      "its organization forbids other providers": () =>
        changeSettings(server, "login", { allowExternalIdp: false }, organizationId),
    },
  };
}

/** Whether a holder of an attempt's token is told what the provider said. */
const readingOf =
  ({ ask }: Estate, { idpIntentId, idpIntentToken }: Awaited<ReturnType<typeof provenAttempt>>) =>
  async (): Promise<boolean> =>
    wordsOf(await ask("here", `/v2/idp_intents/${idpIntentId}`, { body: { idpIntentToken } })) === "done";
