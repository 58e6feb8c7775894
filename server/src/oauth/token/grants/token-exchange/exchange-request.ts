import { parseScope, withoutAlias } from "../../../../authority/index.ts";
import { OAuthError } from "../../../../base/oauth-error.ts";
import { type Parameters, required } from "../../../parameters.ts";
import { readResources } from "../../../read-resources.ts";
import {
  type ActorType,
  type RequestedType,
  type SubjectType,
  toActorType,
  tokenTypes,
  toRequestedType,
  toSubjectType,
} from "./token-types.ts";

/** The parameters of an exchange (RFC 8693 §2.1), with the permitted token types. */
export interface ExchangeRequest {
  readonly subject: { readonly type: SubjectType; readonly token: string };
  readonly actor: { readonly type: ActorType; readonly token: string } | undefined;
  readonly requestedType: RequestedType;
  /** As the client spelled it. */
  readonly scope: ReadonlySet<string>;
  /** Empty: the audience of the given tokens. */
  readonly audience: readonly string[];
  /** Resources (RFC 8707), which belong to the audience as well. */
  readonly resources: readonly string[];
}

export function parseExchangeRequest(parameters: Parameters, aliases: readonly string[]): ExchangeRequest {
  const typeAt = (name: string): string | undefined => {
    const identifier = parameters.get(name);
    return identifier === undefined ? undefined : [...withoutAlias([identifier], aliases)][0];
  };
  const token = required(parameters, "subject_token");
  required(parameters, "subject_token_type");
  const scope = parseScope(required(parameters, "scope"));
  const actor = readActor(parameters, typeAt("actor_token_type"));
  return {
    subject: { type: toSubjectType(typeAt("subject_token_type") ?? "", actor !== undefined), token },
    actor,
    requestedType: toRequestedType(typeAt("requested_token_type") ?? tokenTypes.access_token.identifier),
    scope,
    audience: (parameters.get("audience") ?? "").split(" ").filter((one) => one !== ""),
    resources: readResources(parameters),
  };
}

function readActor(parameters: Parameters, type: string | undefined): ExchangeRequest["actor"] {
  const token = parameters.get("actor_token");
  if (token === undefined && type === undefined) return undefined;
  if (token === undefined) throw new OAuthError("invalid_request", "actor_token_type is given without actor_token");
  if (type === undefined) throw new OAuthError("invalid_request", "parameter actor_token_type is missing");
  return { type: toActorType(type), token };
}
