import assert from "node:assert/strict";
import type { DirectoryEntry } from "../../support/identity-provider/test-directory.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import type { RestAnswer, TestServer } from "../../support/servers/server.ts";
import { type ShownPage, TestBrowser } from "../../support/sign-in/test-browser.ts";

/** What a provider needs to know of a directory. */
export interface KnownDirectory {
  readonly url: string;
  readonly baseDn: string;
  readonly serviceDn: string;
  readonly servicePassword: string;
}

/** An entry of a user whose password is `passwordOf`. */
export const entry = (uid: string, more: DirectoryEntry["attributes"] = {}): DirectoryEntry => ({
  dn: `uid=${uid},dc=example,dc=org`,
  password: `secret-password-of-${uid}`,
  attributes: {
    objectClass: ["person"],
    uid: [uid],
    givenName: ["Given"],
    sn: ["Family"],
    mail: [`${uid}@directory.example`],
    businessCategory: ["TRUE"],
    ...more,
  },
});

export const passwordOf = (uid: string): string => `secret-password-of-${uid}`;
/** What the page says of wrong credentials. */
export const wrong = /username or password is wrong/;

export const openOptions = { isLinkingAllowed: true, isCreationAllowed: true };

/** Returns the request that adds a directory as a provider; its users are `person`s with a `uid`. */
export const bodyOfDirectory = ({ url, baseDn, serviceDn, servicePassword }: KnownDirectory, given: object = {}) => ({
  name: "Directory",
  servers: [url],
  baseDn,
  bindDn: serviceDn,
  bindPassword: servicePassword,
  userBase: "dn",
  userObjectClasses: ["person"],
  userFilters: ["uid", "mail"],
  attributes: {
    idAttribute: "uid",
    firstNameAttribute: "givenName",
    lastNameAttribute: "sn",
    displayNameAttribute: "cn",
    emailAttribute: "mail",
    emailVerifiedAttribute: "businessCategory",
    phoneAttribute: "telephoneNumber",
    preferredLanguageAttribute: "preferredLanguage",
    avatarUrlAttribute: "labeledURI",
    profileAttribute: "description",
  },
  providerOptions: openOptions,
  ...given,
});

/** Adds a directory as a provider of the instance, which the login offers alone from then on. */
export async function addDirectory(server: TestServer, directory: KnownDirectory, given: object = {}): Promise<string> {
  const { status, body } = await server.rest("POST", "/admin/v1/idps/ldap", {
    body: bodyOfDirectory(directory, given),
  });
  assert.equal(status, 200, JSON.stringify(body));
  await changeSettings(server, "login", { identityProviderIds: [body.id] });
  return body.id;
}

/** Makes an attempt with credentials, as an application with a login of its own does. */
export const prove = (
  server: TestServer,
  idpId: string,
  username: string,
  password: string,
  options: object = {},
): Promise<RestAnswer> =>
  server.rest("POST", "/v2/idp_intents", { body: { idpId, ldap: { username, password } }, ...options });

/** Makes an attempt that must succeed, and returns it as the API takes it. */
export async function proven(server: TestServer, idpId: string, username: string, password: string) {
  const { status, body } = await prove(server, idpId, username, password);
  assert.equal(status, 200, JSON.stringify(body));
  const { idpIntentId, idpIntentToken } = body.idpIntent;
  return { idpIntentId, idpIntentToken };
}

/** Reads what the directory said in an attempt. */
export async function retrieve(
  server: TestServer,
  { idpIntentId, idpIntentToken }: Awaited<ReturnType<typeof proven>>,
): Promise<RestAnswer["body"]> {
  const answer = await server.rest("POST", `/v2/idp_intents/${idpIntentId}`, { body: { idpIntentToken } });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** Returns `status id` of an answer; the status alone for a success. */
export const slug = ({ status, body }: RestAnswer): string =>
  status === 200 || status === 201 ? `${status}` : `${status} ${body.details?.[0]?.id}`;

/** Presses the button of a directory in a browser, which leads to the form. */
export async function openForm(
  server: TestServer,
  idpId: string,
  browser: TestBrowser = new TestBrowser(server),
): Promise<{ readonly browser: TestBrowser; readonly form: ShownPage }> {
  const page = await browser.open("/ui/login?account=other");
  const form = await browser.submit(page, { provider: idpId }, { action: "/ui/login/provider" });
  assert.match(form.address, /^\/idps\/ldap\?state=/, form.html);
  return { browser, form };
}

/** Enters credentials in the form; returns where that leads. */
export const enterAt = (
  { browser, form }: { readonly browser: TestBrowser; readonly form: ShownPage },
  username: string,
  password: string,
): Promise<ShownPage> => browser.submit(form, { username, password }, { action: "/idps/ldap" });
