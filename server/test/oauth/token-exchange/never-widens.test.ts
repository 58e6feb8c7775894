import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { narrowAudience, requireGrantedScope } from "../../../src/authority/narrow.ts";
import type { Actor } from "../../../src/domain/token/index.ts";
import { chainActors } from "../../../src/oauth/token/grants/token-exchange/actor-chain.ts";
import { type ExchangeServer, startExchangeServer, typeOf } from "./support.ts";

const rights = [
  "offline_access",
  "urn:service:iam:org:projects:roles",
  "urn:service:iam:org:project:role:admin",
  "urn:service:iam:org:project:id:service:aud",
  "urn:service:iam:org:id:1",
];
const data = ["openid", "profile", "email", "phone", "address", "urn:service:iam:user:metadata"];
const scopes = fc.subarray([...data, ...rights, "unheard-of"]).map((some) => new Set(some));
const audiences = fc.subarray(["a", "b", "c", "d"]);
const party = fc.record({ scope: fc.option(scopes, { nil: undefined }), audience: audiences });
const actors = fc.option(party, { nil: undefined });

test("no scope comes out that did not go in", () => {
  fc.assert(
    fc.property(scopes, party, actors, (wanted, subject, actor) => {
      try {
        requireGrantedScope(wanted, subject, actor);
      } catch {
        return;
      }
      for (const token of wanted) {
        if (subject.scope !== undefined) assert.ok(subject.scope.has(token), token);
        else if (rights.includes(token)) assert.ok(actor?.scope?.has(token), token);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("what is in the subject's scope may always be asked for", () => {
  fc.assert(
    fc.property(fc.subarray([...data, ...rights], { minLength: 1 }), actors, (granted, actor) => {
      const scope = new Set(granted);
      for (const token of granted) requireGrantedScope(new Set([token]), { scope }, actor);
      requireGrantedScope(scope, { scope }, actor);
    }),
  );
});

test("no audience comes out that did not go in, and every wish inside of it is granted", () => {
  fc.assert(
    fc.property(fc.subarray(["a", "b", "c", "d", "e"]), party, actors, (wanted, subject, actor) => {
      const combined = new Set([...subject.audience, ...(actor?.audience ?? [])]);
      const isInside = wanted.every((name) => combined.has(name));
      let result: string[] | undefined;
      try {
        result = narrowAudience({ audience: wanted, resources: [] }, subject, actor);
      } catch {
        assert.equal(isInside, false);
        return;
      }
      assert.ok(isInside);
      assert.ok(result.every((name) => combined.has(name)));
      if (wanted.length > 0) assert.deepEqual(result, wanted);
    }),
    { numRuns: 2_000 },
  );
});

const chains = fc
  .array(fc.constantFrom("u1", "u2", "u3"), { maxLength: 10 })
  .map((subs) =>
    subs.reduceRight<Actor | undefined>((act, sub) => ({ iss: "i", sub, ...(act && { act }) }), undefined),
  );
const depthOf = (actor: Actor | undefined): number => (actor === undefined ? 0 : 1 + depthOf(actor.act));
const subsOf = (actor: Actor | undefined): string[] => (actor === undefined ? [] : [actor.sub, ...subsOf(actor.act)]);

test("no actor is ever lost from the chain", () => {
  fc.assert(
    fc.property(chains, fc.option(chains, { nil: null }), (ofSubject, ofActor) => {
      const actor = ofActor === null ? undefined : { userId: "new", actor: ofActor };
      const expected = [...(actor === undefined ? [] : ["new", ...subsOf(actor.actor)]), ...subsOf(ofSubject)];
      try {
        const chain = chainActors("i", { actor: ofSubject }, actor);
        assert.deepEqual(subsOf(chain), expected);
        assert.ok(depthOf(chain) <= 8);
      } catch (error) {
        if (expected.length <= 8) throw error;
      }
    }),
    { numRuns: 1_000 },
  );
});

test("a chain of exchanges at the endpoint never gets back what one of them gave away", async (t) => {
  const server = await startExchangeServer(t);
  const granted = ["openid", "profile", "email", "urn:service:iam:user:metadata"];
  const { access_token: token = "" } = await server.tokensOf(server.user, granted.join(" "));
  const allAudiences = (await server.introspect(token))["aud"] as string[];
  const step = fc.record({
    scope: fc.subarray([...granted, "phone", "offline_access"], { minLength: 1 }),
    audience: fc.subarray([...allAudiences, "elsewhere"]),
    type: fc.constantFrom(typeOf.access_token, typeOf.jwt),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), (steps) =>
      walk(server, token, steps, allAudiences),
    ),
    { numRuns: 12 },
  );
});

interface Step {
  readonly scope: readonly string[];
  readonly audience: readonly string[];
  readonly type: string;
}

async function walk(server: ExchangeServer, start: string, steps: readonly Step[], allAudiences: readonly string[]) {
  let token = start;
  let scope: readonly string[] = ["openid", "profile", "email", "urn:service:iam:user:metadata"];
  let audience = allAudiences;
  for (const step of steps) {
    const { status, body } = await server.exchange({
      subject_token: token,
      subject_token_type: typeOf.access_token,
      requested_token_type: step.type,
      scope: step.scope.join(" "),
      ...(step.audience.length > 0 && { audience: step.audience.join(" ") }),
    });
    const own = [server.keyClient.clientId, server.projectId];
    const isReachable = own.some((name) => audience.includes(name));
    const isInside =
      step.scope.every((one) => scope.includes(one)) && step.audience.every((one) => audience.includes(one));
    assert.equal(status === 200, isReachable && isInside, JSON.stringify({ scope, audience, step, body }));
    if (status !== 200) continue;
    token = body.access_token;
    scope = step.scope;
    if (step.audience.length > 0) audience = step.audience;
    const userinfo = await server.rest("GET", "/oidc/v1/userinfo", { token });
    assert.equal("email" in userinfo.body, scope.includes("email"));
  }
}
