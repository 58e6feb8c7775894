import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf as providerBody, kinds as providerKinds } from "../identity-provider/support.ts";
import { isLong } from "../support/data/random.ts";
import { hostileUrls, scriptUrls } from "../support/hostile/hostile-urls.ts";
import { fetch } from "../support/http/fetch.ts";
import { type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";
import { defaultOrganization } from "../support/people/people.ts";
import { startServer } from "../support/servers/server.ts";
import { adoptSession } from "../support/sign-in/adopt-session.ts";

// `npm run test:hostile` sends all of them; otherwise every sink gets another part.
const sampling = isLong() ? 1 : 4;

/** A parameter that says where a browser is sent. */
interface Sink {
  readonly name: string;
  /** The address that is registered. */
  readonly good: string;
  send(url: string): Promise<Answer>;
  /** Whether the address was taken. */
  isTaken(answer: Answer): boolean;
}

interface Answer {
  readonly status: number;
  readonly location: string | null;
  readonly body: string;
}

const callback = "https://app.example/callback";
const bye = "https://app.example/bye";

test("no browser is sent to an address that was not registered, whatever else is wrong with the request (RFC 9700 §2.1, §4.11)", async (t) => {
  const server = await startOidcServer(t);
  for (const [index, sink] of (await makeSinks(server)).entries()) {
    await t.test(sink.name, async () => {
      const { host, pathname } = new URL(sink.good);
      const hostile = new Set([...hostileUrls("https", host, pathname), ...scriptUrls, `${sink.good}/more`]);
      // What is empty counts as left out, which is another thing.
      hostile.delete("");
      assert.ok(hostile.size > 100);
      const chosen = [...hostile].filter((_, position) => (position + index) % sampling === 0);
      for (const url of chosen) demandNothing(server, url, await sink.send(url), sink);
      const control = await sink.send(sink.good);
      assert.ok(sink.isTaken(control), `the registered address is refused: ${JSON.stringify(control)}`);
    });
  }
});

function demandNothing({ origin }: OidcServer, url: string, answer: Answer, sink: Sink): void {
  const { status, location, body } = answer;
  assert.ok(!sink.isTaken(answer), `${JSON.stringify(url)} was taken`);
  assert.ok(status < 500, `${JSON.stringify(url)}: ${status}`);
  if (location !== null) assert.equal(new URL(location, origin).origin, origin, JSON.stringify(url));
  const attributes = [...body.matchAll(/(?:href|action|src|content|formaction)\s*=\s*"([^"]*)"/gi)];
  for (const [, value = ""] of attributes) {
    assert.doesNotMatch(value, /evil\.example|javascript:|data:text|vbscript:/i, JSON.stringify(url));
  }
}

async function makeSinks(server: OidcServer): Promise<Sink[]> {
  return [
    ...authorizations(server),
    {
      name: "redirect_uri of a pushed request",
      good: callback,
      send: push(server),
      isTaken: ({ status }) => status === 201,
    },
    { name: "redirect_uri at the token endpoint", ...(await redemption(server)) },
    { name: "post_logout_redirect_uri with a client id", good: bye, ...logoutByClient(server) },
    { name: "post_logout_redirect_uri with an id token", good: bye, ...(await logoutByHint(server)) },
  ];
}

/** The same good request, and the same with an error that would be sent back to the client. */
function authorizations(server: OidcServer): Sink[] {
  const changes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    redirect_uri: {},
    "redirect_uri beside a wrong response type": { response_type: "x" },
    "redirect_uri beside a scope without openid": { scope: "profile" },
    "redirect_uri beside prompt=none": { prompt: "none" },
    "redirect_uri in a fragment": { response_mode: "fragment", prompt: "none" },
    "redirect_uri in a form post": { response_mode: "form_post", prompt: "none" },
    "redirect_uri beside a request_uri": { request_uri: "https://evil.example/request" },
  };
  return Object.entries(changes).map(([name, more]) => ({
    name,
    good: callback,
    send: (url) => {
      const query = { client_id: server.client.clientId, response_type: "code", scope: "openid", ...more };
      return ask(`${server.origin}/oauth/v2/authorize?${new URLSearchParams({ ...query, redirect_uri: url })}`);
    },
    // A good request goes to the login, a bad one back to the client.
    isTaken: ({ status, location, body }) =>
      (location?.startsWith("/ui/login") ?? false) ||
      (location?.startsWith(callback) ?? false) ||
      (status === 200 && body.includes(`action="${callback}"`)),
  }));
}

const push =
  (server: OidcServer) =>
  async (url: string): Promise<Answer> => {
    const parameters = { client_id: server.client.clientId, response_type: "code", scope: "openid", redirect_uri: url };
    return fromForm(await server.form("/oauth/v2/par", parameters, server.client.basic));
  };

async function redemption(server: OidcServer): Promise<Omit<Sink, "name">> {
  const { code, codeVerifier } = await server.signIn();
  const form = { grant_type: "authorization_code", code, code_verifier: codeVerifier };
  return {
    good: callback,
    send: async (url) =>
      fromForm(await server.form("/oauth/v2/token", { ...form, redirect_uri: url }, server.client.basic)),
    isTaken: ({ status }) => status === 200,
  };
}

function logoutByClient(server: OidcServer): Pick<Sink, "send" | "isTaken"> {
  return {
    send: (url) => {
      const query = { client_id: server.client.clientId, post_logout_redirect_uri: url };
      return ask(`${server.origin}/oidc/v1/end_session?${new URLSearchParams(query)}`);
    },
    // The person is asked first; the address travels along.
    isTaken: ({ location }) => location?.includes(encodeURIComponent(bye)) ?? false,
  };
}

async function logoutByHint(server: OidcServer): Promise<Pick<Sink, "send" | "isTaken">> {
  const session = await server.signIn();
  const { id_token: hint = "" } = await server.tokens({ session });
  const headers = await adoptSession(server, session.sessionId);
  return {
    send: (url) => {
      const query = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: url, state: "s" });
      return ask(`${server.origin}/oidc/v1/end_session?${query}`, headers);
    },
    isTaken: ({ location }) => location?.startsWith(bye) ?? false,
  };
}

async function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const answer = await fetch(url, { redirect: "manual", headers });
  return { status: answer.status, location: answer.headers.get("location"), body: await answer.text() };
}

const fromForm = ({ status, body }: Awaited<ReturnType<OidcServer["form"]>>): Answer => ({
  status,
  location: null,
  body: JSON.stringify(body),
});

test("addresses of identity providers are kept as every parser reads them, or not at all", async (t) => {
  const server = await startServer(t, { config: { outboundAllow: [] } });
  const fields = Object.values(providerKinds).flatMap((known) => known.addresses.map((field) => ({ known, field })));
  assert.ok(fields.length >= 10);
  for (const [index, { known, field }] of fields.entries()) {
    await t.test(`${field} of ${known.path}`, async () => {
      const body = providerBody(known);
      const hostile = new Set([...hostileUrls("https", "idp.example", "/realm"), ...privateUrls]);
      // What is empty counts as left out, which is another thing.
      hostile.delete("");
      // Ten fields are judged by one rule, so together they see them all.
      const chosen = [...hostile].filter((_, position) => (position + index) % (2 * sampling) === 0 || sampling === 1);
      // Half of them are sent to what is there already, by the other service.
      const side = index % 2 === 0 ? ("admin" as const) : ("management" as const);
      const organization = { "x-zitadel-orgid": await defaultOrganization(server) };
      const call = (method: string, path: string, sent?: object) =>
        server.rest(method, `/${side}/v1/idps/${path}`, {
          ...(sent !== undefined && { body: sent }),
          headers: side === "management" ? organization : {},
        });
      const id: string = (await call("POST", known.path, body)).body.id;
      for (const url of chosen) {
        const sent = { ...body, [field]: url };
        const isNew = side === "admin";
        const answer = await call(isNew ? "POST" : "PUT", isNew ? known.path : `${known.path}/${id}`, sent);
        assert.ok(answer.status === 200 || answer.status === 400, `${JSON.stringify(url)}: ${answer.status}`);
        const stored = isNew ? answer.body.id : id;
        if (stored === undefined) continue;
        const kept: string = (await call("GET", `templates/${stored}`)).body.idp.config[known.member][field];
        if (answer.status === 200) assert.equal(kept, url);
        demandPlainAddress(kept);
      }
    });
  }
});

/** An https address of the public internet with nothing in it that parsers disagree about. */
function demandPlainAddress(text: string): void {
  assert.match(text, /^https:\/\/[a-z0-9.-]+(?::\d+)?(?:[/?][!-~]*)?$/i, JSON.stringify(text));
  const { protocol, username, password, hash, hostname } = new URL(text);
  assert.deepEqual([protocol, username, password, hash], ["https:", "", "", ""], text);
  assert.doesNotMatch(hostname, /^(?:127|10|169\.254|192\.168|0)\.|^localhost$|^\[/, text);
}

const privateUrls = [
  "http://idp.example/realm",
  "https://127.0.0.1/",
  "https://localhost.:443/",
  "https://[::1]/",
  "https://10.0.0.1/",
  "https://169.254.169.254/latest/meta-data",
  "https://192.168.0.1/",
  "https://0.0.0.0/",
  "https://[fe80::1]/",
  "https://[::ffff:10.0.0.1]/",
  "https://0300.0250.0.1/",
  "https://3232235521/",
  "http://localhost/",
];
