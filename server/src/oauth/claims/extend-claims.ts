import { iam } from "../../authority/index.ts";
import { Fault } from "../../base/fault.ts";
import { OAuthError } from "../../base/oauth-error.ts";
import type { Call } from "../../call/index.ts";
import type { FunctionName } from "../../domain/action/index.ts";
import { isProtocolClaim } from "../../domain/oidc-configuration/index.ts";
import type { User } from "../../domain/user/index.ts";
import type { FunctionResult } from "../../extension/index.ts";
import type { OAuthDeps } from "../deps.ts";
import { inNamespaces } from "./namespace-claims.ts";

/** Claims about a user, before their extension. */
export interface Extendable {
  readonly user: User;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly clientId: string;
  readonly actor: object | undefined;
}

/**
 * Returns the claims with the additions of a function's targets. Existing claims cannot be replaced, nor can the claims
 * of the protocol and of our namespace be added. Rejected additions, and the log entries of targets, are in the claim
 * `urn:service:iam:action:<function>:log`. Throws an OAuthError when a target refuses.
 */
export async function extendClaims(
  deps: OAuthDeps,
  call: Call,
  name: FunctionName,
  extendable: Extendable,
): Promise<Record<string, unknown>> {
  const { user, claims, clientId, actor } = extendable;
  const result = await deps.functions.run(call, name, { user, claims, clientId, actor }).catch(refuse);
  const { added, logs } = take(deps.namespaceAliases, claims, result);
  const log = logs.length === 0 ? {} : { [`${iam}:action:${name}:log`]: logs };
  return { ...claims, ...added, ...(await inNamespaces(deps, call.instanceId, log)) };
}

// A token has to fit into a header, with all its other claims.
const largestExtension = 8_192;

function take(
  aliases: readonly string[],
  claims: Readonly<Record<string, unknown>>,
  result: FunctionResult,
): { readonly added: Record<string, unknown>; readonly logs: string[] } {
  const added: Record<string, unknown> = {};
  const logs: string[] = [];
  let size = 0;
  const fits = (text: string): boolean => {
    size += text.length;
    return size <= largestExtension;
  };
  for (const { key, value } of result.claims) {
    const json = JSON.stringify(value);
    if (isOurs(aliases, key)) logs.push(`claim ${shortened(key)} is reserved`);
    else if (Object.hasOwn(claims, key) || Object.hasOwn(added, key))
      logs.push(`claim ${shortened(key)} exists already`);
    else if (json === undefined || !fits(key + json)) logs.push(`claim ${shortened(key)} does not fit`);
    else added[key] = value;
  }
  for (const log of result.logs) if (fits(log)) logs.push(log);
  return { added, logs: logs.slice(0, 100) };
}

const shortened = (key: string): string => key.slice(0, 100);

const isOurs = (aliases: readonly string[], key: string): boolean =>
  isProtocolClaim(key) || ["service", ...aliases].some((word) => key.startsWith(`urn:${word}:iam`));

function refuse(error: unknown): never {
  if (!(error instanceof Fault) || !error.id.startsWith("execution.")) throw error;
  if (error.id === "execution.failed") {
    throw new OAuthError("temporarily_unavailable", "an action could not be run", { cause: error });
  }
  const { message } = error.values;
  throw new OAuthError("access_denied", typeof message === "string" ? message : "an action refused", { cause: error });
}
