import type { Clock, Instant } from "../../base/clock.ts";
import { seconds } from "../../base/clock.ts";
import { isRecord, JsonError, parseJson } from "../../base/json.ts";
import { type Outbound, OutboundError } from "../../base/outbound/index.ts";
import { Secret } from "../../base/secret.ts";
import type { SmtpAuthentication } from "./message-provider.ts";
import { SendFailed } from "./send-failed.ts";

type TokenSource = Extract<SmtpAuthentication, { kind: "xoauth2" }>;

/** Access tokens for SMTP servers, by the client credentials grant (RFC 6749 §4.4). */
export interface SmtpTokens {
  /** Returns a token for these settings; the latest one while it is valid. Throws `SendFailed`. */
  get(key: string | undefined, source: TokenSource, clientSecret: Secret): Promise<Secret>;
  forget(key: string | undefined): void;
}

interface Kept {
  readonly token: Secret;
  readonly until: Instant;
}

const mostKept = 1000;
// The lifetime of a token may be unknown (RFC 6749 §5.1); then the token is used only once.
const noLifetime = 0;
const margin = seconds(60);
/** How long a token endpoint may take. */
export const tokenPatience = seconds(5);

/** Creates the source of tokens, which caches them in this process. */
export function createSmtpTokens({
  outbound,
  clock,
}: {
  readonly outbound: Outbound;
  readonly clock: Clock;
}): SmtpTokens {
  const kept = new Map<string, Kept>();
  return {
    get: async (key, source, clientSecret) => {
      const found = key === undefined ? undefined : kept.get(key);
      if (found !== undefined && found.until > clock()) return found.token;
      const { token, lifetimeSeconds } = await request(outbound, source, clientSecret);
      if (kept.size >= mostKept) kept.clear();
      if (key !== undefined) kept.set(key, { token, until: clock() + seconds(lifetimeSeconds) - margin });
      return token;
    },
    forget: (key) => {
      if (key !== undefined) kept.delete(key);
    },
  };
}

async function request(outbound: Outbound, { tokenEndpoint, scopes, clientId }: TokenSource, clientSecret: Secret) {
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret.reveal(),
    ...(scopes.length > 0 && { scope: scopes.join(" ") }),
  });
  const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
  const response = await outbound({
    url: tokenEndpoint,
    method: "POST",
    headers,
    body: body.toString(),
    maximumBytes: 65_536,
    timeout: tokenPatience,
  }).catch((error: unknown) => {
    if (error instanceof OutboundError) throw new SendFailed(`token.${error.shownFailure}`, { cause: error });
    throw error;
  });
  if (response.status !== 200) throw new SendFailed(`token.status_${response.status}`);
  const answer = parseAnswer(response.body);
  const token = answer["access_token"];
  // RFC 6750 §2.1: the characters of a token; others could add a line to the conversation.
  if (typeof token !== "string" || !/^[\x21-\x7e]{1,8192}$/.test(token)) throw new SendFailed("token.answer_invalid");
  const lifetime = answer["expires_in"];
  return { token: new Secret(token), lifetimeSeconds: typeof lifetime === "number" ? lifetime : noLifetime };
}

function parseAnswer(body: string): Record<string, unknown> {
  try {
    const answer = parseJson(body);
    return isRecord(answer) ? answer : {};
  } catch (error) {
    if (error instanceof JsonError) return {};
    throw error;
  }
}
