import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { onPostgres } from "../support/databases/databases.ts";
import { fetch } from "../support/http/fetch.ts";
import { addPerson, type Person, sessionOf } from "../support/people/people.ts";
import { type Cluster, race, type ServerNode, type StartCluster, startCluster } from "../support/servers/nodes.ts";

const people = 12;
const requests = 1000;

/** A user with names that contain a word of their own, and the credentials for their requests. */
interface Marked extends Person {
  readonly canary: string;
  readonly sessionId: string;
  readonly sessionToken: string;
  readonly accessToken: string;
}

/** A request that is answered about its caller. */
type Ask = (node: ServerNode, who: Marked, cluster: Cluster) => Promise<string>;

const questions: Readonly<Record<string, Ask>> = {
  "himself by REST": async (node, { userId, sessionToken }) =>
    text(node.rest("GET", `/v2/users/${userId}`, { token: sessionToken })),
  "himself by Connect": async (node, { userId, sessionToken }) =>
    text(node.connect("service.user.v2.UserService/GetUserByID", { userId }, { token: sessionToken })),
  "the list of users": async (node, { sessionToken }) =>
    text(node.connect("service.user.v2.UserService/ListUsers", {}, { token: sessionToken })),
  "his session": async (node, { sessionId, sessionToken }) =>
    text(node.rest("GET", `/v2/sessions/${sessionId}?sessionToken=${sessionToken}`, { token: sessionToken })),
  "his claims": async (node, { accessToken }) => text(node.rest("GET", "/oidc/v1/userinfo", { token: accessToken })),
  "his token": async (node, { accessToken }, { first }) =>
    text(node.form("/oauth/v2/introspect", { token: accessToken }, first.client.basic)),
  "the page that asks for his password": async (node, { loginName }, { first }) => {
    const query = new URLSearchParams({
      client_id: first.client.clientId,
      redirect_uri: first.client.redirectUri,
      response_type: "code",
      scope: "openid",
      login_hint: loginName,
    });
    const sent = await fetch(`${node.origin}/oauth/v2/authorize?${query}`, { redirect: "manual" });
    const cookie = sent.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
    const page = await fetch(new URL(sent.headers.get("location") ?? "", node.origin), {
      headers: { cookie: cookie.join("; ") },
    });
    return page.text();
  },
};

const suite = (start: StartCluster): void => {
  test("none of a thousand concurrent mixed requests gets another request's response (F22)", async (t) => {
    const cluster = await start(t);
    const marked = await Promise.all(Array.from({ length: people }, (_, index) => makeMarked(cluster, index)));
    const asks = Object.entries(questions);
    const seen = new Set<string>();
    await race(requests, cluster, async (node, index) => {
      const who = marked[index % people] as Marked;
      const [name, ask] = asks[Math.floor(index / people) % asks.length] as (typeof asks)[number];
      const answer = await ask(node, who, cluster);
      const foreign = marked.filter(({ canary }) => canary !== who.canary && answer.includes(canary));
      assert.deepEqual(foreign, [], `${name} of ${who.canary}: ${answer}`);
      if (answer.includes(who.canary)) seen.add(name);
    });
    // An answer without any name would pass as well.
    assert.deepEqual([...seen].sort(), Object.keys(questions).sort());
  });
};

describe("sqlite", () => suite((t) => startCluster(t, "sqlite", 1)));
onPostgres(() => suite((t) => startCluster(t, "postgres", 2)));

async function makeMarked({ first }: Cluster, index: number): Promise<Marked> {
  const canary = `canary${String.fromCharCode(97 + index)}${"q".repeat(8)}`;
  const person = await addPerson(first, { username: canary });
  const session = await sessionOf(first, person);
  const tokens = await first.tokens({
    scope: "openid profile email",
    session: { sessionId: session.sessionId, sessionToken: session.token },
  });
  return { ...person, canary, ...session, sessionToken: session.token, accessToken: tokens["access_token"] ?? "" };
}

const text = async (answering: Promise<{ readonly body: unknown }>): Promise<string> =>
  JSON.stringify((await answering).body);
