import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { loginTextKeys } from "../../../src/domain/login-text/custom-login-text.ts";
import { createTexts } from "../../../src/text/index.ts";
import { callUser } from "../../factor/support.ts";
import { type DeviceServer, startDeviceServer } from "../../oauth/device/support.ts";
import { startTestDirectory, type TestDirectory } from "../../support/identity-provider/test-directory.ts";
import { startTestProvider, type TestProvider } from "../../support/identity-provider/test-provider.ts";
import { addPerson, type Person } from "../../support/people/people.ts";
import { changeSettings } from "../../support/servers/change-settings.ts";
import { makeBuild } from "../../support/servers/console-build.ts";
import type { ServerOptions } from "../../support/servers/server.ts";
import type { ShownPage } from "../../support/sign-in/test-browser.ts";
import { RecordingApi } from "./api.ts";
import { type Exchange, RecordingBrowser } from "./recorder.ts";

/** A secret that a user was given or chose during the tour, and its kind. */
export interface Planted {
  readonly kind: string;
  readonly value: string;
  /** The one answer that gives it to the caller. */
  readonly givenIn?: Exchange;
}

/** A visit to every page that keeps all exchanges. */
export interface Tour {
  readonly server: DeviceServer;
  readonly provider: TestProvider;
  /** Id of the identity provider here. */
  readonly idpId: string;
  readonly directory: TestDirectory;
  /** Id of the directory as a provider. */
  readonly directoryIdpId: string;
  readonly exchanges: Exchange[];
  /** The requests to the API, and its answers. */
  readonly calls: Exchange[];
  /** A program of the owner, with the headers that the tour sends. */
  readonly api: RecordingApi;
  readonly planted: Planted[];
  /** Another user's browser, with the headers that the tour sends. */
  browser(): RecordingBrowser;
  /** A browser on the machine of the server, without a proxy between. */
  browserHere(): RecordingBrowser;
  /** Returns a text as an attacker would write it: its kind, and the payload of the tour. */
  say(kind: string): string;
  /** Remembers a secret, and the one answer that may contain it; returns it. */
  plant(kind: string, value: string, givenIn?: Exchange): string;
  /** Makes a user with a password of their own and a name that they chose. */
  somebody(username: string, given?: { readonly changeRequired?: boolean }): Promise<Person>;
}

export interface TourOptions {
  readonly engine?: "sqlite" | "postgres";
  readonly config?: ServerOptions["config"];
  /** Where every line of the log goes, of every level. */
  readonly log?: string[];
  /** Comes with each request of a browser. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Part of every text that another user may write. */
  readonly payload?: string;
}

/** Starts a server, fills it, and prepares the tour. */
export async function prepareTour(t: TestContext, options: TourOptions = {}): Promise<Tour> {
  const { engine = "sqlite", config = {}, log, headers = {}, payload = "" } = options;
  const server = await startDeviceServer(t, {
    engine,
    config,
    consoleDirectory: makeBuild(t),
    ...(log !== undefined && { log }),
  });
  const provider = await startTestProvider(t, () => server.clock.now);
  const directory = await startTestDirectory(t);
  const exchanges: Exchange[] = [];
  const planted: Planted[] = [];
  const say = (kind: string): string => `${kind}${payload}`;
  const calls: Exchange[] = [];
  const plant: Tour["plant"] = (kind, value, givenIn) => {
    assert.ok(value.length >= 6, `${kind}: ${value}`);
    planted.push({ kind, value, ...(givenIn && { givenIn }) });
    return value;
  };
  let count = 0;
  const somebody: Tour["somebody"] = async (username, { changeRequired = false } = {}) => {
    const password = plant("password", `canary password ${++count} of ${username}`);
    const person = await addPerson(server, { username, password, changeRequired });
    await callUser(server, "UpdateUser", {
      userId: person.userId,
      human: {
        profile: {
          givenName: say("Given"),
          familyName: say("Family"),
          displayName: say("Display"),
          nickName: say("Nick"),
        },
      },
    });
    return person;
  };
  await fill(server, say);
  await write(server, payload);
  const idpId = await addProvider(server, provider, say);
  const directoryIdpId = await addDirectory(server, directory, say);
  await changeSettings(server, "login", {
    identityProviderIds: [idpId, directoryIdpId],
    allowRegister: true,
    secondFactors: ["totp", "u2f", "otp_email", "otp_sms", "recovery_codes"],
  });
  return {
    server,
    provider,
    idpId,
    directory,
    directoryIdpId,
    exchanges,
    calls,
    planted,
    say,
    plant,
    somebody,
    api: new RecordingApi(server, calls, withoutContext(headers)),
    browser: () => new RecordingBrowser(server, exchanges, headers),
    browserHere: () => new RecordingBrowser(server, exchanges),
  };
}

/** Returns the headers without the one by which a program names its organization: API calls may send that. */
const withoutContext = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "x-service-orgid"));

/** Names the organization, the project and the applications. */
async function fill(server: DeviceServer, say: (kind: string) => string): Promise<void> {
  const { organizationId, projectId, client, device } = server;
  const change = async (method: string, body: object): Promise<void> => {
    const { status, body: answer } = await server.connect(`service.${method}`, body);
    assert.equal(status, 200, `${method}: ${JSON.stringify(answer)}`);
  };
  await change("org.v2.OrganizationService/UpdateOrganization", { organizationId, name: say("Organization") });
  await change("project.v2.ProjectService/UpdateProject", { projectId, name: say("Project") });
  for (const [name, { applicationId }] of Object.entries({ Application: client, Device: device })) {
    const update = { applicationId, projectId, name: say(name) };
    await change("application.v2.ApplicationService/UpdateApplication", update);
  }
}

const messages = ["init", "passwordreset", "verifyemail", "verifyphone", "verifysmsotp", "verifyemailotp"];
const moreMessages = ["domainclaimed", "passwordless_registration", "password_change", "invite_user"];

/** Custom texts of an organization, for all of pages and messages that it can change: ours, then the payload. */
async function write(server: DeviceServer, payload: string): Promise<void> {
  const put = async (path: string, body: object): Promise<void> => {
    const { status, body: answer } = await server.rest("PUT", `/admin/v1/text/${path}/en`, { body });
    assert.equal(status, 200, `${path}: ${JSON.stringify(answer)}`);
  };
  const ours = new Map<string, string>(createTexts().all("en"));
  const screens: Record<string, Record<string, string>> = {};
  for (const [path, key] of Object.entries(loginTextKeys)) {
    const [screen = "", part = ""] = path.split(".");
    const words = `${ours.get(key)}${payload}`;
    // Some have to be short.
    if (words.length <= 100) screens[screen] = { ...screens[screen], [part]: words };
  }
  await put("login", screens);
  // What stands between two braces is refused when it is saved.
  const inert = payload.replaceAll(/[{}]+/g, "");
  const parts = ["title", "preHeader", "subject", "greeting", "text", "buttonText", "footerText"];
  const words = Object.fromEntries(parts.map((part) => [part, `${part}${inert} {{.FirstName}}`]));
  for (const message of [...messages, ...moreMessages]) await put(`message/${message}`, words);
}

async function addProvider(
  server: DeviceServer,
  { issuer, clientSecret }: TestProvider,
  say: (kind: string) => string,
): Promise<string> {
  const { status, body } = await server.rest("POST", "/admin/v1/idps/generic_oidc", {
    body: {
      name: say("Provider"),
      issuer,
      clientId: "doorward",
      clientSecret,
      usePkce: true,
      providerOptions: { isLinkingAllowed: true, isCreationAllowed: true },
    },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

async function addDirectory(
  server: DeviceServer,
  { url, baseDn, serviceDn, servicePassword }: TestDirectory,
  say: (kind: string) => string,
): Promise<string> {
  const { status, body } = await server.rest("POST", "/admin/v1/idps/ldap", {
    body: {
      name: say("Directory"),
      servers: [url],
      baseDn,
      bindDn: serviceDn,
      bindPassword: servicePassword,
      userBase: "dn",
      userObjectClasses: ["person"],
      userFilters: ["uid"],
      attributes: { idAttribute: "uid", firstNameAttribute: "givenName", lastNameAttribute: "sn" },
      providerOptions: { isLinkingAllowed: true, isCreationAllowed: true },
    },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

/** Returns the value of a hidden field of a page. */
export const hidden = (page: ShownPage, name: string): string =>
  page.forms.flatMap(({ values }) => values).find(([each]) => each === name)?.[1] ?? "";
