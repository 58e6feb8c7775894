import { createHash, randomBytes } from "node:crypto";
import type { Chance } from "../../support/data/random.ts";
import { type Family, isStale, keep, sendCode, sendRefresh } from "./family.ts";
import { lookAtFamily } from "./look-at-family.ts";
import { answerOf, createPool, gather, goodAnswer, type Target, type Workload } from "./workload.ts";

/** Codes, refreshes with rotation, revocations. */
export function familyWorkload(target: Target): Workload {
  const pool = createPool<Family>();
  return {
    name: "token families",
    write: async (chance) => {
      const family = chance.percent(75) ? pool.take(chance) : undefined;
      if (family === undefined) {
        pool.giveBack(await makeCode(target, chance));
        return;
      }
      await advance(target, family, chance);
      if (family.state !== "dead") pool.giveBack(family);
    },
    check: async (chance, extent) =>
      gather(pool.toCheck(chance, extent), async (family) => {
        const problems = await lookAtFamily(target, family, extent === "all" || chance.percent(30));
        if (family.state !== "dead") pool.giveBack(family);
        return problems;
      }),
  };
}

/** A request, its answer through the login API, a code: two writes, of which the first may be lost without a trace. */
async function makeCode(target: Target, chance: Chance): Promise<Family> {
  const client = chance.percent(50) ? target.client : target.jwtClient;
  const codeVerifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: "code",
    scope: "openid offline_access",
    code_challenge_method: "S256",
    code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
  });
  const sent = await answerOf(target.rest("GET", `/oauth/v2/authorize?${query}`, { token: null }));
  const login = new URL(sent.headers.get("location") ?? "", target.origin);
  const path = `/v2/oidc/auth_requests/${login.searchParams.get("authRequest")}`;
  const body = { session: target.session };
  const { callbackUrl } = await goodAnswer(target.rest("POST", path, { token: target.loginToken, body }));
  const code = new URL(callbackUrl).searchParams.get("code") ?? "";
  const nothing = { access: [], refreshToken: "", spent: [], state: "code" as const };
  return { client, code, codeVerifier, codeMade: Date.now(), ...nothing };
}

async function advance(target: Target, family: Family, chance: Chance): Promise<void> {
  if (family.state === "code") return redeem(target, family);
  const alive = family.access.filter(({ isRevoked }) => !isRevoked);
  if (alive.length > 0 && chance.percent(15)) return revokeAccess(target, family, chance.one(alive));
  if (chance.percent(5)) return revokeFamily(target, family);
  return refresh(target, family);
}

async function redeem(target: Target, family: Family): Promise<void> {
  if (isStale(family)) {
    family.state = "dead";
    return;
  }
  family.attempted = "redeem";
  keep(family, await goodAnswer(sendCode(target, family)));
}

async function refresh(target: Target, family: Family): Promise<void> {
  family.attempted = "refresh";
  keep(family, await goodAnswer(sendRefresh(target, family, family.refreshToken)));
}

async function revokeAccess(target: Target, family: Family, access: Family["access"][number]): Promise<void> {
  family.attempted = { revoked: access.token };
  await goodAnswer(target.form("/oauth/v2/revoke", { token: access.token }, family.client.basic));
  access.isRevoked = true;
  delete family.attempted;
}

async function revokeFamily(target: Target, family: Family): Promise<void> {
  family.attempted = "revoke family";
  await goodAnswer(target.form("/oauth/v2/revoke", { token: family.refreshToken }, family.client.basic));
  family.state = "dead";
  delete family.attempted;
}
