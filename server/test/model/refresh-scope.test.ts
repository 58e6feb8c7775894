import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isLong, testSeed } from "../support/data/random.ts";
import { type OidcServer, startOidcServer } from "../support/oidc/oidc.ts";

const runs = isLong() ? 1000 : 15;
const always = ["openid", "offline_access"];
const seed = testSeed();

test("no refresh gives a wider scope, audience or claims than was granted, and a narrower one is kept to (RFC 6749 §6)", async (t) => {
  const server = await startOidcServer(t);
  await server.trust();
  const { projectId: foreign } = (
    await server.connect("service.project.v2.ProjectService/CreateProject", {
      organizationId: server.organizationId,
      name: "Foreign",
    })
  ).body;
  const system = (await server.app.domain.findInstanceByHost("localhost"))?.systemProjectId ?? "";
  const projects: Projects = { foreign, system };
  const optional = [
    "profile",
    "email",
    "phone",
    "address",
    ...["service", "zitadel"].flatMap((word) => [
      `urn:${word}:iam:org:project:id:${foreign}:aud`,
      `urn:${word}:iam:org:project:id:${word}:aud`,
      `urn:${word}:iam:user:resourceowner`,
      `urn:${word}:iam:org:projects:roles`,
    ]),
  ];
  const scopes = fc.uniqueArray(fc.constantFrom(...always, ...optional, "unknown", "urn:other:iam:user:metadata"));
  const granted = fc
    .subarray(optional)
    .chain((some) => fc.shuffledSubarray([...always, ...some], { minLength: some.length + 2 }));
  const requests = fc.array(
    fc.option(
      fc.oneof(
        granted.chain((all) => fc.shuffledSubarray(all)),
        scopes,
      ),
      { nil: undefined },
    ),
    {
      minLength: 1,
      maxLength: 5,
    },
  );
  const property = fc.asyncProperty(fc.record({ granted, requests, more: requests }), async (given) => {
    const first = await server.tokens({ scope: given.granted.join(" ") });
    const base = await audience(server, first["access_token"] ?? "");
    assert.deepEqual(base, wishedAudience(server, projects, given.granted));
    let refreshToken = first["refresh_token"] ?? "";
    // What was granted asks for pieces of itself as often as for anything.
    for (const wanted of [
      ...given.requests,
      ...given.more.map((list) => list?.filter((one) => given.granted.includes(one))),
    ]) {
      const next = await refresh(server, refreshToken, wanted);
      if (!isWithin(wanted, given.granted)) {
        assert.equal(next.body.error, "invalid_scope", `${wanted?.join(" ")} of ${given.granted.join(" ")}`);
        continue;
      }
      assert.equal(next.status, 200, JSON.stringify(next.body));
      refreshToken = next.body.refresh_token;
      await demandExactly(server, projects, next.body, wanted ?? given.granted);
    }
  });
  await fc.assert(property, { seed, numRuns: runs, interruptAfterTimeLimit: 600_000 });
});

/** Projects that scopes can name: another one of the organization, and the one of our own interface. */
interface Projects {
  readonly foreign: string;
  readonly system: string;
}

const withOwnWord = (scope: string): string => scope.replaceAll("zitadel", "service");

/** Whether a request stays within the grant. One that names no scope at all is not one (RFC 6749 §3.3). */
function isWithin(wanted: readonly string[] | undefined, granted: readonly string[]): boolean {
  if (wanted === undefined) return true;
  const own = new Set(granted.map(withOwnWord));
  return wanted.length > 0 && wanted.every((scope) => own.has(withOwnWord(scope)));
}

function refresh(server: OidcServer, refreshToken: string, wanted: readonly string[] | undefined) {
  // A blank instead of nothing, because an empty parameter counts as left out.
  const scope = wanted?.length === 0 ? " " : wanted?.join(" ");
  const form = { grant_type: "refresh_token", refresh_token: refreshToken, ...(scope !== undefined && { scope }) };
  return server.form("/oauth/v2/token", form, server.client.basic);
}

async function demandExactly(
  server: OidcServer,
  projects: Projects,
  answer: { readonly access_token: string; readonly scope: string },
  wanted: readonly string[],
): Promise<void> {
  assert.deepEqual(words(answer.scope), [...wanted].sort());
  const token = await server.introspect(answer.access_token);
  assert.equal(token["active"], true);
  assert.deepEqual(words(String(token["scope"])), [...wanted].sort());
  assert.deepEqual((token["aud"] as string[]).toSorted(), wishedAudience(server, projects, wanted));
  assert.equal("email" in token, wanted.includes("email"), "claims of scope email");
  assert.equal("given_name" in token, wanted.includes("profile"), "claims of scope profile");
  const owner = wanted.map(withOwnWord).includes("urn:service:iam:user:resourceowner");
  assert.equal(
    Object.keys(token).some((name) => name.includes(":user:resourceowner:")),
    owner,
    "claims of a namespaced scope",
  );
}

/** The client, its project, and what the scopes of this exact token ask for. */
function wishedAudience(server: OidcServer, projects: Projects, scopes: readonly string[]): string[] {
  const own = scopes.map(withOwnWord);
  const wished = [server.client.clientId, server.projectId];
  if (own.includes(`urn:service:iam:org:project:id:${projects.foreign}:aud`)) wished.push(projects.foreign);
  if (own.includes("urn:service:iam:org:project:id:service:aud")) wished.push(projects.system);
  return wished.sort();
}

async function audience(server: OidcServer, token: string): Promise<string[]> {
  return ((await server.introspect(token))["aud"] as string[]).toSorted();
}

const words = (text: string): string[] => text.split(" ").filter(Boolean).sort();
