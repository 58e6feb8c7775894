import { randomUUID, sign } from "node:crypto";
import { answerOf, createPool, gather, goodAnswer, type Robot, type Target, type Workload } from "./workload.ts";

const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";
// Longer than a round with its start takes, and shorter than the server allows.
const assertionLifetime = 600;

interface Issued {
  readonly robot: Robot;
  /** Present when it was requested by an assertion. */
  readonly assertion?: string;
  /** Absent while it is unknown whether it was issued. */
  accessToken?: string;
  /** The assertion may have been used, so it is not used again to find out. */
  isSettled?: boolean;
}

/** Tokens of service accounts, by their secret and by assertions that work once (RFC 7523 §3). */
export function robotWorkload(target: Target): Workload {
  const pool = createPool<Issued>();
  return {
    name: "service account tokens",
    write: async (chance) => {
      const robot = chance.one(target.robots);
      const issued: Issued = { robot, ...(chance.percent(40) && { assertion: assertionOf(target, robot) }) };
      pool.doubt(issued);
      issued.accessToken = (await goodAnswer(ask(target, issued))).access_token;
    },
    check: async (chance, extent) => gather(pool.toCheck(chance, extent), (issued) => look(target, issued)),
  };
}

function ask({ form, projectId }: Target, { robot, assertion }: Issued) {
  const scope = `openid urn:service:iam:org:project:id:${projectId}:aud`;
  return assertion === undefined
    ? form("/oauth/v2/token", { grant_type: "client_credentials", scope }, robot.basic)
    : form("/oauth/v2/token", { grant_type: jwtBearer, scope, assertion });
}

async function look(target: Target, issued: Issued): Promise<string[]> {
  const { robot, assertion } = issued;
  const problems: string[] = [];
  const isFresh = issued.accessToken === undefined && issued.isSettled !== true;
  if (assertion !== undefined && isFresh) {
    // Whether or not it was used before the crash: now it was.
    const { status, body } = await answerOf(ask(target, issued));
    if (status === 200) issued.accessToken = body.access_token;
    else if (body.error !== "invalid_grant") problems.push(`an assertion was answered ${JSON.stringify(body)}`);
    issued.isSettled = true;
  }
  if (assertion !== undefined && (await answerOf(ask(target, issued))).status === 200) {
    problems.push(`an assertion of ${robot.userId} was used twice`);
  }
  if (issued.accessToken !== undefined) {
    const token = issued.accessToken;
    const { body } = await answerOf(target.form("/oauth/v2/introspect", { token }, target.client.basic));
    if (body.active !== true || body.sub !== robot.userId) {
      problems.push(`a token of ${robot.userId} is ${JSON.stringify(body)}`);
    }
  }
  return problems;
}

function assertionOf({ origin }: Target, { userId, keyId, privateKey }: Robot): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: userId, sub: userId, aud: origin, iat: now, exp: now + assertionLifetime, jti: randomUUID() };
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const input = `${encode({ alg: "RS256", kid: keyId })}.${encode(claims)}`;
  return `${input}.${sign("sha256", Buffer.from(input), privateKey).toString("base64url")}`;
}
