import assert from "node:assert/strict";
import { sql } from "../../src/database/index.ts";
import { findIdentityProvider } from "../../src/domain/identity-provider/index.ts";
import type { TestProvider } from "../support/identity-provider/test-provider.ts";
import { testCall } from "../support/operations/call.ts";
import { addOrganization, addPerson, appoint, type Person, sessionOf } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import type { TestServer } from "../support/servers/server.ts";
import { type ShownPage, TestBrowser } from "../support/sign-in/test-browser.ts";
import { arrive, pages, provenAttempt, startAttempt } from "./attempts.ts";

/** Options of a provider that allows everything and links no account by itself. */
export const openOptions = {
  isLinkingAllowed: true,
  isCreationAllowed: true,
  isAutoCreation: false,
  isAutoUpdate: false,
  autoLinking: "AUTO_LINKING_OPTION_UNSPECIFIED",
};
export const linkingOptions = { ...openOptions, autoLinking: "AUTO_LINKING_OPTION_EMAIL" };

/** An organization with people of different weight, each with a token. */
export interface Staff {
  readonly organizationId: string;
  readonly owner: Person & { readonly token: string };
  /** May configure providers, and no users: ORG_SETTINGS_MANAGER. */
  readonly manager: Person & { readonly token: string };
  /** May write users, and no providers: ORG_USER_MANAGER. */
  readonly clerk: Person & { readonly token: string };
  readonly plain: Person & { readonly token: string };
  /** Owns the instance as well. */
  readonly boss: Person & { readonly token: string };
}

/** Makes an organization with its people; their names begin with `name`. */
export async function addStaff(server: TestServer, name: string): Promise<Staff> {
  const organizationId = await addOrganization(server, name);
  const make = async (role: string, resource: object | undefined, roles: readonly string[]) => {
    const person = await addPerson(server, { username: `${name}-${role}`, organizationId });
    if (resource !== undefined) await appoint(server, person, resource, roles);
    return { ...person, token: (await sessionOf(server, person)).token };
  };
  return {
    organizationId,
    owner: await make("owner", { organizationId }, ["ORG_OWNER"]),
    manager: await make("manager", { organizationId }, ["ORG_SETTINGS_MANAGER"]),
    clerk: await make("clerk", { organizationId }, ["ORG_USER_MANAGER"]),
    plain: await make("plain", undefined, []),
    boss: await make("boss", { instance: true }, ["IAM_OWNER"]),
  };
}

/** The address of a person of `addPerson`. */
export const emailOf = ({ loginName }: Person): string => `${loginName.split("@")[0]}@mail.example`;

/** The body of a provider of the organization or the instance, as an administrator writes it. */
export const bodyAt = (provider: TestProvider, providerOptions: object = openOptions) => ({
  name: "Provider",
  issuer: provider.issuer,
  clientId: "doorward",
  clientSecret: provider.clientSecret,
  scopes: ["openid"],
  providerOptions,
});

/** Lets a moment pass, after which an answer of a provider is surely later than what ended the sign-ins of its user. */
const passMoment = ({ clock }: Pick<TestServer, "clock">): void => {
  clock.now += 10_000;
};

/** The ways in which tests use providers of a server. */
export function createTrust(server: TestServer) {
  const headersOf = (organizationId: string) => ({ headers: { "x-zitadel-orgid": organizationId } });
  const refusalOf = ({ status, body }: { status: number; body: { details?: { id?: string }[] } }) =>
    status === 200 ? "200" : `${status} ${body.details?.[0]?.id}`;
  const nameIn = async (organizationId: string): Promise<string | undefined> => {
    const queries = [{ organizationIdQuery: { organizationId } }, { typeQuery: { type: "TYPE_HUMAN" } }];
    const found = await server.rest("POST", "/v2/users", { body: { queries } });
    return found.body.result?.[0]?.preferredLoginName;
  };
  const etagOf = async (organizationId: string, idpId: string): Promise<string> => {
    const path = `/management/v1/idps/templates/${idpId}`;
    return (await server.rest("GET", path, headersOf(organizationId))).body.idp.etag;
  };
  return {
    /** Adds a provider to an organization with the token of an administrator, and offers it in the login there. */
    addTo: async (organizationId: string, token: string | undefined, body: object): Promise<string> => {
      const path = organizationId === "" ? "/admin/v1/idps/generic_oidc" : "/management/v1/idps/generic_oidc";
      const made = await server.rest("POST", path, { body, ...(token && { token }), ...headersOf(organizationId) });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      const id: string = made.body.id;
      await changeSettings(server, "login", { identityProviderIds: [id] }, organizationId || undefined);
      return id;
    },
    /** Calls the Management API in an organization; returns `200`, or status and id of the refusal. */
    manage: async (organizationId: string, token: string, method: string, path: string, body: object = {}) =>
      refusalOf(await server.rest(method, `/management/v1${path}`, { body, token, ...headersOf(organizationId) })),
    /** Returns the name of what an administrator reads of a provider. */
    etagOf,
    /** Deactivates a provider, and activates it as it was read. */
    takeOver: async (organizationId: string, token: string, idpId: string) => {
      const etag = await etagOf(organizationId, idpId);
      for (const state of ["_deactivate", "_reactivate"]) {
        const path = `/management/v1/idps/${idpId}/${state}`;
        const set = await server.rest("POST", path, { body: { etag }, token, ...headersOf(organizationId) });
        assert.equal(set.status, 200, JSON.stringify(set.body));
      }
    },
    /** Links an account to a user; returns `200`, or status and id of the refusal. */
    link: async (userId: string, idpId: string, sub: string, token?: string) =>
      refusalOf(
        await server.rest("POST", `/v2/users/${userId}/links`, {
          body: { idpLink: { idpId, userId: sub, userName: sub } },
          ...(token && { token }),
        }),
      ),
    links: async (userId: string): Promise<{ idpId: string; userId: string; suspended?: boolean }[]> =>
      (await server.rest("POST", `/v2/users/${userId}/links/_search`, { body: {} })).body.result ?? [],
    /** Writes a link as it was before the rules, for any user. */
    writeLink: async (userId: string, idpId: string, sub: string): Promise<void> => {
      const { database } = server.app.domain;
      const instanceId = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? "";
      await database.touch(testCall({ instanceId, now: server.clock.now }), (tx) =>
        tx.run(sql`insert into identity_links (instance_id, identity_provider_id, speaker, external_user_id, user_id,
            external_username, created_at, changed_at)
          select ${instanceId}, ${idpId}, p.speaker, ${sub}, ${userId}, ${sub}, 1, 1 from identity_providers p
          where p.instance_id = ${instanceId} and p.identity_provider_id = ${idpId}`),
      );
    },
    /** Makes an administrator of the instance with these permissions answer for a provider. */
    answerWith: async (idpId: string, permissions: readonly string[]): Promise<void> => {
      const { database } = server.app.domain;
      const instanceId = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? "";
      await database.touch(testCall({ instanceId, now: server.clock.now }), (tx) =>
        tx.run(sql`update identity_providers set answered_with = ${JSON.stringify([[{ level: "instance", resourceId: "", permissions }]])}
          where instance_id = ${instanceId} and identity_provider_id = ${idpId}`),
      );
    },
    /** The levels and roles by which administrators answer for a provider, as they are stored. */
    answeredBy: async (idpId: string): Promise<readonly string[] | undefined> => {
      const { database } = server.app.domain;
      const instanceId = (await server.app.domain.findInstanceByHost("localhost"))?.instanceId ?? "";
      const found = await findIdentityProvider(database.read, instanceId, idpId);
      return found?.answeredBy?.map((author) =>
        author.map((one) => `${one.level} ${"roles" in one ? one.roles.join(" ") : "by permissions"}`).join(", "),
      );
    },
    /**
     * Signs in on the hosted pages of an organization by its provider, and returns the page where that ended. A name of
     * the organization is entered first: what its administrators said of accounts counts only then.
     */
    throughPages: async (organizationId: string, idpId: string, provider: TestProvider): Promise<ShownPage> => {
      passMoment(server);
      const browser = new TestBrowser(server);
      const at = organizationId === "" ? "" : `&organization=${organizationId}`;
      const begin = await browser.open(`/ui/login?account=other${at}`);
      const name = organizationId === "" ? undefined : await nameIn(organizationId);
      const named =
        name === undefined ? undefined : await browser.submit(begin, { login_name: name }, { action: "/ui/login" });
      // The page for the password offers no providers: back to the first one.
      const away = named?.address.startsWith(provider.issuer)
        ? named
        : await browser.submit(begin, { provider: idpId }, { action: "/ui/login/provider" });
      const back = provider.signIn(away.address);
      return browser.open(back.pathname + back.search);
    },
    /** Opens a session of a user by an attempt at a provider; returns `200`, or status and id of the refusal. */
    throughSession: async (userId: string, idpId: string, provider: TestProvider) => {
      passMoment(server);
      const { idpIntentId, idpIntentToken } = await provenAttempt(server, provider, idpId);
      const checks = { user: { userId }, idpIntent: { idpIntentId, idpIntentToken } };
      const made = await server.rest("POST", "/v2/sessions", { body: { checks } });
      return made.status === 201 ? "201" : refusalOf(made);
    },
    /** Starts an attempt, lets something happen, and returns what the application is told. */
    interrupted: async (idpId: string, provider: TestProvider, meanwhile: () => Promise<unknown>) => {
      const away = await startAttempt(server, idpId, pages);
      await meanwhile();
      return (await arrive(provider.signIn(away))).parameters;
    },
  };
}

export const isIn = ({ address }: ShownPage): boolean => address.startsWith("/ui/login/signed-in");
