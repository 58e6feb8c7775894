import assert from "node:assert/strict";
import { enginesInTurn } from "../../support/databases/turns.ts";
import { claimsOf, type ExchangeServer, startExchangeServer, type TypeName, typeOf } from "./support.ts";

// The interface's table, cell by cell: as subject alone, as subject with an actor, as actor, as requested type. An id
// token is not an actor token here (A6).
const matrix: Readonly<
  Record<TypeName | "unknown", { alone: boolean; acted: boolean; actor: boolean; wanted: boolean }>
> = {
  access_token: { alone: true, acted: true, actor: true, wanted: true },
  refresh_token: { alone: false, acted: false, actor: false, wanted: false },
  id_token: { alone: true, acted: true, actor: false, wanted: true },
  jwt: { alone: false, acted: true, actor: false, wanted: true },
  user_id: { alone: false, acted: true, actor: false, wanted: false },
  unknown: { alone: false, acted: false, actor: false, wanted: false },
};
type Name = keyof typeof matrix;
const names = Object.keys(matrix) as Name[];
const identifiers: Readonly<Record<Name, string>> = {
  ...typeOf,
  unknown: "urn:ietf:params:oauth:token-type:saml2",
};

/** A good token of each type, so that only the type can be what is wrong. */
async function goodTokens(server: ExchangeServer) {
  const scope = "openid profile offline_access";
  const [user, agent] = [await server.tokensOf(server.user, scope), await server.tokensOf(server.agent, scope)];
  const all = (tokens: Readonly<Record<string, string>>, userId: string) => ({
    access_token: tokens["access_token"] ?? "",
    refresh_token: tokens["refresh_token"] ?? "",
    id_token: tokens["id_token"] ?? "",
    jwt: server.signSubject({ sub: userId }),
    user_id: userId,
    unknown: tokens["access_token"] ?? "",
  });
  return { subject: all(user, server.user.userId), actor: all(agent, server.agent.userId) };
}

enginesInTurn((engine, test) => {
  test("the token type matrix holds in every cell: subject × actor × requested", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const tokens = await goodTokens(server);
    const { userId } = server.user;
    const check = async (subject: Name, actor: Name | undefined, wanted: Name | undefined) => {
      const cell = `${subject} × ${actor ?? "-"} × ${wanted ?? "-"}`;
      const { status, body } = await server.exchange({
        subject_token: tokens.subject[subject],
        subject_token_type: identifiers[subject],
        ...(actor && { actor_token: tokens.actor[actor], actor_token_type: identifiers[actor] }),
        ...(wanted && { requested_token_type: identifiers[wanted] }),
        scope: "openid profile",
      });
      const isAllowed =
        (actor === undefined ? matrix[subject].alone : matrix[subject].acted && matrix[actor].actor) &&
        (wanted === undefined || matrix[wanted].wanted);
      if (!isAllowed) {
        assert.deepEqual([status, body.error], [400, "invalid_request"], cell);
        return;
      }
      assert.equal(status, 200, `${cell}: ${JSON.stringify(body)}`);
      assert.equal(body.issued_token_type, identifiers[wanted ?? "access_token"], cell);
      assert.equal(body.scope, "openid profile", cell);
      assert.equal(body.refresh_token, undefined, cell);
      checkIssued(body, wanted ?? "access_token", cell);
      const { sub, act } = claimsOf(wanted === "id_token" ? body.access_token : body.id_token);
      assert.equal(sub, userId, cell);
      assert.deepEqual(act, actor && { iss: server.origin, sub: server.agent.userId }, cell);
    };
    for (const subject of names) {
      for (const actor of [undefined, ...names]) {
        await Promise.all([undefined, ...names].map((wanted) => check(subject, actor, wanted)));
      }
    }
  });

  test("an access token may be a JWT as well, as subject and as actor", async (t) => {
    const server = await startExchangeServer(t, { engine });
    const jwt = await Promise.all(
      [server.user, server.agent].map(async (who) => {
        const { access_token: token } = await server.tokensOf(who, "openid");
        const asked = { subject_token: token, subject_token_type: typeOf.access_token, scope: "openid" };
        return (await server.exchange({ ...asked, requested_token_type: typeOf.jwt })).body.access_token as string;
      }),
    );
    const [subject = "", actor = ""] = jwt;
    assert.equal(subject.split(".").length, 3);
    const { status, body } = await server.exchange({
      subject_token: subject,
      subject_token_type: typeOf.access_token,
      actor_token: actor,
      actor_token_type: typeOf.access_token,
      scope: "openid",
    });
    assert.equal(status, 200, JSON.stringify(body));
    // Opaque, whatever the subject's was.
    assert.equal(body.access_token.includes("."), false);
    assert.deepEqual(claimsOf(body.id_token).act, { iss: server.origin, sub: server.agent.userId });
  });
});

function checkIssued(body: Record<string, string>, wanted: Name, cell: string): void {
  const isJwt = body["access_token"]?.split(".").length === 3;
  switch (wanted) {
    case "access_token":
      assert.deepEqual([body["token_type"], isJwt, body["id_token"] !== undefined], ["Bearer", false, true], cell);
      return;
    case "jwt":
      assert.deepEqual([body["token_type"], isJwt, body["id_token"] !== undefined], ["Bearer", true, true], cell);
      return;
    default:
      // RFC 8693 §2.2.1: an id token is not an access token, and stands in its place.
      assert.deepEqual([body["token_type"], isJwt, body["id_token"]], ["N_A", true, undefined], cell);
  }
}
