import { type Family, isStale, keep, sendCode, sendRefresh } from "./family.ts";
import { answerOf, type Target } from "./workload.ts";

/**
 * Compares a family with what was acknowledged, and settles what was lost. `isLast`: whatever was used successfully is
 * used once more, which must fail and revoke the family (RFC 6749 §4.1.2, RFC 9700 §4.14.2).
 */
export async function lookAtFamily(target: Target, family: Family, isLast: boolean): Promise<string[]> {
  const problems = [...(await settleRevocation(target, family)), ...(await lookAtAccess(target, family))];
  problems.push(...(await settleUse(target, family)));
  if (isLast && family.state === "code") problems.push(...(await useCode(target, family)));
  if (isLast && family.state === "tokens") problems.push(...(await useAgain(target, family)));
  return problems.map((problem) => `family of code ${family.code.slice(0, 12)}…: ${problem}`);
}

/** Settles a revocation that got no answer: it happened whole or not at all. */
async function settleRevocation(target: Target, family: Family): Promise<string[]> {
  const { attempted } = family;
  if (typeof attempted === "object") {
    const access = family.access.find(({ token }) => token === attempted.revoked);
    if (access !== undefined) access.isRevoked = !(await isActive(target, family, access.token));
    delete family.attempted;
  } else if (attempted === "revoke family") {
    const refreshed = await answerOf(sendRefresh(target, family, family.refreshToken));
    if (refreshed.status === 200) keep(family, refreshed.body);
    else family.state = "dead";
    delete family.attempted;
  }
  return [];
}

async function lookAtAccess(target: Target, family: Family): Promise<string[]> {
  const problems: string[] = [];
  for (const [index, { token, isRevoked }] of family.access.entries()) {
    const wished = !isRevoked && family.state === "tokens";
    if ((await isActive(target, family, token)) !== wished) {
      problems.push(`access token ${index + 1} of ${family.access.length} is ${wished ? "dead" : "active"}`);
    }
  }
  if (family.state === "dead" && family.refreshToken !== "") {
    const { status } = await answerOf(sendRefresh(target, family, family.refreshToken));
    if (status === 200) problems.push("its refresh token works after it was revoked");
  }
  return problems;
}

/** Settles a use without an answer: the code or refresh token is unused, or its second use revokes the family. */
async function settleUse(target: Target, family: Family): Promise<string[]> {
  const { attempted } = family;
  if (attempted !== "redeem" && attempted !== "refresh") return [];
  const send = attempted === "redeem" ? sendCode(target, family) : sendRefresh(target, family, family.refreshToken);
  const { status, body } = await answerOf(send);
  if (status === 200) {
    keep(family, body);
    return [];
  }
  delete family.attempted;
  family.state = "dead";
  if (body.error !== "invalid_grant") return [`${attempted} after the lost answer: ${JSON.stringify(body)}`];
  return lookAtAccess(target, family);
}

/** A code that was issued is valid for the rest of its minute. */
async function useCode(target: Target, family: Family): Promise<string[]> {
  if (isStale(family)) return [];
  const { status, body } = await answerOf(sendCode(target, family));
  if (status !== 200) return [`its code is refused: ${JSON.stringify(body)}`];
  keep(family, body);
  return [];
}

async function useAgain(target: Target, family: Family): Promise<string[]> {
  const problems: string[] = [];
  const uses = [sendCode(target, family), ...family.spent.map((token) => sendRefresh(target, family, token))];
  for (const answer of await Promise.all(uses.map(answerOf))) {
    if (answer.status === 200) problems.push("what was used with success before was used again");
  }
  family.state = "dead";
  return [...problems, ...(await lookAtAccess(target, family))];
}

async function isActive({ form, user }: Target, { client }: Family, token: string): Promise<boolean> {
  const { body } = await answerOf(form("/oauth/v2/introspect", { token }, client.basic));
  if (body.active !== true) return false;
  const isAsGiven =
    body.sub === user.userId && body.client_id === client.clientId && body.scope === "openid offline_access";
  if (!isAsGiven) throw new Error(`a token says something else than it was issued for: ${JSON.stringify(body)}`);
  return true;
}
