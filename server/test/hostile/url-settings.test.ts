import assert from "node:assert/strict";
import { test } from "node:test";
import { type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { callUser, inboxOf } from "../factor/support.ts";
import { enter } from "../login/support/sign-in.ts";
import { isLong } from "../support/data/random.ts";
import { hostileUrls, scriptUrls } from "../support/hostile/hostile-urls.ts";
import { fetch } from "../support/http/fetch.ts";
import { type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";
import { addPerson } from "../support/people/people.ts";
import { changeSettings } from "../support/servers/change-settings.ts";
import type { RestAnswer, TestServer } from "../support/servers/server.ts";
import { TestBrowser } from "../support/sign-in/test-browser.ts";

// `npm run test:hostile` sends all of them; otherwise every field gets another part.
const sampling = isLong() ? 1 : 12;

const good = "https://app.example.com/callback";

/** A field with an address that people, browsers or servers are sent to later. */
interface Field {
  readonly name: string;
  /** Last part of its name in the contract. */
  readonly is: string;
  save(url: string): Promise<RestAnswer>;
  /** Returns what is kept, or the address that a browser ends up at; undefined when there is none. */
  read(): Promise<string | undefined>;
  /** What else than web addresses may be kept here. */
  readonly also?: RegExp;
}

/** Fields of which every word is judged elsewhere, and where. */
const elsewhere: Readonly<Record<string, string>> = {
  issuer: "url-sinks.test.ts",
  authorization_endpoint: "url-sinks.test.ts",
  token_endpoint: "url-sinks.test.ts",
  user_endpoint: "url-sinks.test.ts",
  jwt_endpoint: "url-sinks.test.ts",
  keys_endpoint: "url-sinks.test.ts",
  call_url: "server/test/limits/quota.test.ts: set by the operator alone, and called through the guard",
  metadata_url: "server/test/identity-provider/saml/flows.test.ts: requested before it is kept",
  uri: "server/test/resource/resource-uri.test.ts: of a resource, in one canonical form",
  logo_url: "server/test/settings/updates-by-mask.test.ts: only in answers, and refused in a mask",
  icon_url: "server/test/settings/updates-by-mask.test.ts: only in answers, and refused in a mask",
  font_url: "server/test/settings/updates-by-mask.test.ts: only in answers, and refused in a mask",
  error_uri: "never followed by us: a parameter of the answer to an application, which is encoded there",
};

test("addresses in settings, applications and messages are kept as every reader reads them, or not at all", async (t) => {
  const server = await startOidcServer(t);
  const fields = await makeFields(server);

  await t.test("no field of the contract that takes an address was left out", async () => {
    const judged = new Set([...fields.map(({ is }) => is), ...Object.keys(elsewhere)]);
    const missing = (await addressFields(server)).filter((name) => !judged.has(name));
    assert.deepEqual(missing, []);
  });

  for (const [index, field] of fields.entries()) {
    await t.test(field.name, async () => {
      const hostile = new Set([...hostileUrls(), ...scriptUrls]);
      // An empty value counts as absent, which is another case.
      hostile.delete("");
      const chosen = [...hostile].filter((_, position) => (position + index) % sampling === 0);
      for (const url of chosen) {
        const { status, body } = await field.save(url);
        const told = `${JSON.stringify(url)}: ${status} ${JSON.stringify(body)}`;
        assert.ok(status < 300 || (status >= 400 && status < 500), told);
        const kept = await field.read();
        if (kept !== undefined && field.also?.test(kept) !== true) demandPlainAddress(kept, url);
      }
      const { status, body } = await field.save(good);
      assert.ok(status < 300, JSON.stringify(body));
      assert.match((await field.read()) ?? "", /^https:\/\/app\.example\.com/);
    });
  }
});

/** Requires an address with one meaning: it ends no header, line or attribute, and has no user before the host. */
function demandPlainAddress(kept: string, given: string): void {
  const told = `${JSON.stringify(given)} is kept as ${JSON.stringify(kept)}`;
  assert.match(kept, /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[A-Za-z0-9._&;-]+(?::\d+)?(?:[/?#][!#-;=?-[\]_a-z~]*)?$/, told);
  const { username, password, hostname } = new URL(kept);
  assert.deepEqual([username, password], ["", ""], told);
  const written = /^https?:\/\/([^/?#:]*)/i.exec(kept)?.[1]?.toLowerCase();
  assert.equal(written, hostname, told);
}

const addressName = /(?:^|_)(?:ur[li]s?|links?|endpoint|issuer|url_template|origins?)$/;

/** Last parts of the names of fields by which built methods take addresses. */
async function addressFields({ app }: TestServer): Promise<string[]> {
  const found = new Set<string>();
  const walk = (message: DescMessage, above: readonly string[]): void => {
    if (above.includes(message.typeName)) return;
    for (const field of message.fields) {
      if (field.message !== undefined && field.fieldKind !== "map") walk(field.message, [...above, message.typeName]);
      else if (addressName.test(field.name) && field.scalar === ScalarType.STRING) found.add(field.name);
    }
  };
  for (const method of app.methods.values()) {
    const built = await method.loadImplementation();
    if (built !== undefined) walk(built.descriptor.input, []);
  }
  assert.ok(found.size > 15, [...found].join());
  return [...found];
}

async function makeFields(server: OidcServer): Promise<Field[]> {
  return [
    ...ofSettings(server),
    ...ofSecurity(server),
    ...ofApplication(server),
    ...(await ofMessages(server)),
    ...ofServers(server),
    ...(await ofIntents(server)),
  ];
}

function ofSettings(server: OidcServer): Field[] {
  const policy = (path: string, name: string, is: string, member = name): Field => ({
    name: `${name} of ${path}`,
    is,
    save: (url) =>
      server.rest("PUT", `/admin/v1/policies/${path}`, {
        body: { [name]: url, customLinkText: "x", allowUsernamePassword: true },
      }),
    read: async () => {
      const kept = (await server.rest("GET", `/admin/v1/policies/${path}`)).body.policy[member];
      return kept === "" ? undefined : kept;
    },
  });
  return [
    policy("login", "defaultRedirectUri", "default_redirect_uri"),
    ...[["tosLink", "tos_link"] as const, ["privacyLink", "privacy_link"] as const].map(([name, is]) =>
      policy("privacy", name, is),
    ),
    ...[["helpLink", "help_link"] as const, ["docsLink", "docs_link"] as const].map(([name, is]) =>
      policy("privacy", name, is),
    ),
    policy("privacy", "customLink", "custom_link"),
    policy("privacy", "accessibilityLink", "accessibility_link"),
    {
      name: "privacyPolicyLink of a change by mask",
      is: "privacy_policy_link",
      save: (url) =>
        server.connect("service.settings.v2.SettingsService/UpdateLegalAndSupportSettings", {
          ctx: { instance: true },
          settings: { privacyPolicyLink: url },
          updateMask: "privacyPolicyLink",
        }),
      read: async () => (await server.rest("GET", "/admin/v1/policies/privacy")).body.policy.privacyLink || undefined,
    },
    {
      name: "links of pages",
      is: "url",
      also: /^mailto:[!#-;=?-~]+$/,
      save: (url) => server.connect("service.settings.v2.SettingsService/SetLinkSettings", { links: [{ url }] }),
      read: async () =>
        (await server.connect("service.settings.v2.SettingsService/GetLinkSettings", {})).body.settings?.links?.[0]
          ?.url,
    },
    {
      name: "the login of somebody else",
      is: "base_uri",
      save: (baseUri) =>
        server.rest("PUT", "/v2/features/instance", { body: { loginV2: { required: false, baseUri } } }),
      read: async () => (await server.rest("GET", "/v2/features/instance")).body.loginV2?.baseUri || undefined,
    },
  ];
}

function ofSecurity(server: OidcServer): Field[] {
  const read = async () => (await server.rest("GET", "/v2/settings/security")).body.settings;
  const save = (body: object) => server.rest("PUT", "/v2/policies/security", { body });
  return [
    {
      name: "who may frame the login",
      is: "allowed_origins",
      // An origin is an address without anything behind the host.
      save: (url) =>
        save({ embeddedIframe: { enabled: true, allowedOrigins: [url === good ? new URL(url).origin : url] } }),
      read: async () => (await read()).embeddedIframe?.allowedOrigins?.[0],
    },
    {
      name: "documents of clients",
      is: "allowed_urls",
      save: (url) => save({ clientIdMetadataDocument: { enabled: true, allowedUrls: [url] } }),
      read: async () => (await read()).clientIdMetadataDocument?.allowedUrls?.[0],
    },
  ];
}

function ofApplication(server: OidcServer): Field[] {
  const { applicationId } = server.client;
  const { projectId } = server;
  const service = "service.application.v2.ApplicationService";
  const field = (name: string, is: string, isList: boolean): Field => ({
    name: `${name} of an application`,
    is,
    save: (url) =>
      server.connect(`${service}/UpdateApplication`, {
        applicationId,
        projectId,
        oidcConfiguration: {
          [name]: isList ? [url === good && name.endsWith("Origins") ? new URL(url).origin : url] : url,
        },
      }),
    read: async () => {
      const { application } = (await server.connect(`${service}/GetApplication`, { applicationId })).body;
      const kept = application.oidcConfiguration[name];
      const [first] = isList ? (kept ?? []) : [kept];
      return first || undefined;
    },
  });
  return [
    field("redirectUris", "redirect_uris", true),
    field("postLogoutRedirectUris", "post_logout_redirect_uris", true),
    field("additionalOrigins", "additional_origins", true),
    field("backChannelLogoutUri", "back_channel_logout_uri", false),
    field("initiateLoginUri", "initiate_login_uri", false),
    {
      name: "the login of an application",
      is: "base_uri",
      save: (baseUri) =>
        server.connect(`${service}/UpdateApplication`, {
          applicationId,
          projectId,
          oidcConfiguration: { loginVersion: { loginV2: { baseUri } } },
        }),
      read: async () => {
        const { application } = (await server.connect(`${service}/GetApplication`, { applicationId })).body;
        return application.oidcConfiguration.loginVersion?.loginV2?.baseUri || undefined;
      },
    },
  ];
}

/** Links of messages, as their readers see them. */
async function ofMessages(server: OidcServer): Promise<Field[]> {
  let count = 0;
  const message = (name: string, send: (userId: string, urlTemplate: string) => Promise<RestAnswer>): Field => {
    let recipient = "";
    return {
      name: `link of a message: ${name}`,
      is: "url_template",
      save: async (urlTemplate) => {
        const username = `reader-${++count}`;
        recipient = `${username}@mail.example`;
        const { id } = await callUser(server, "CreateUser", {
          organizationId: server.organizationId,
          username,
          human: {
            profile: { givenName: "R", familyName: "R" },
            email: { email: recipient, isVerified: true },
          },
        });
        if (name === "another address") recipient = `next-${id}@mail.example`;
        return send(id, urlTemplate);
      },
      read: async () => {
        const messages = await inboxOf(server, recipient);
        const told = messages.map(({ text }) => `${text}`).join("\n");
        assert.doesNotMatch(told, /javascript:|data:text|vbscript:/i);
        const [newest] = messages;
        return newest?.link ?? undefined;
      },
    };
  };
  const users = "service.user.v2.UserService";
  return [
    message("another address", (userId, urlTemplate) =>
      server.connect(`${users}/SetEmail`, { userId, email: `next-${userId}@mail.example`, sendCode: { urlTemplate } }),
    ),
    message("password reset", (userId, urlTemplate) =>
      server.connect(`${users}/PasswordReset`, { userId, sendLink: { urlTemplate } }),
    ),
    message("invitation", (userId, urlTemplate) =>
      server.connect(`${users}/CreateInviteCode`, { userId, sendCode: { urlTemplate } }),
    ),
    message("passkey", (userId, urlTemplate) =>
      server.connect(`${users}/CreatePasskeyRegistrationLink`, { userId, sendLink: { urlTemplate } }),
    ),
  ];
}

function ofServers(server: OidcServer): Field[] {
  let targetId = "";
  const target = "service.action.v2.ActionService";
  return [
    {
      name: "endpoint of an action",
      is: "endpoint",
      save: async (endpoint) => {
        const made = await server.connect(`${target}/CreateTarget`, {
          name: "t",
          endpoint,
          timeout: "1s",
          restWebhook: { interruptOnError: false },
        });
        targetId = made.body.id ?? "";
        return made;
      },
      read: async () =>
        targetId === ""
          ? undefined
          : (await server.connect(`${target}/GetTarget`, { id: targetId })).body.target.endpoint,
    },
  ];
}

/** Where the browser of an attempt at a provider ends up. */
async function ofIntents(server: OidcServer): Promise<Field[]> {
  const github = { name: "G", clientId: "c", clientSecret: "s" };
  const idpId: string = (await server.rest("POST", "/admin/v1/idps/github", { body: github })).body.id;
  let state = "";
  return (["successUrl", "failureUrl"] as const).map((member) => ({
    name: `where an application is told: ${member}`,
    is: member.replace("Url", "_url"),
    save: async (url) => {
      const urls = { successUrl: good, failureUrl: good, [member]: url };
      const started = await server.rest("POST", "/v2/idp_intents", { body: { idpId, urls } });
      state = new URL(started.body.authUrl ?? "http://none.example").searchParams.get("state") ?? "";
      return started;
    },
    // The sign-in there is skipped, so only the way back from a failure is walked; one function reads both.
    read: async () => {
      if (state === "") return undefined;
      const query = new URLSearchParams({ state, error: "access_denied" });
      const answer = await fetch(`${server.origin}/idps/callback?${query}`, { redirect: "manual" });
      return answer.headers.get("location") ?? undefined;
    },
  }));
}

test("a user who signs in without an application is sent to the address of the settings", async (t) => {
  const server = await startOidcServer(t);
  const ada = await addPerson(server, { username: "lead" });
  await changeSettings(server, "login", { defaultRedirectUri: "https://portal.example/start?x=1#home" });
  const browser = new TestBrowser(server);
  const home = await enter({ browser, page: await browser.open("/ui/login") }, ada);
  assert.equal(home.address, "https://portal.example/start?x=1#home");
});
