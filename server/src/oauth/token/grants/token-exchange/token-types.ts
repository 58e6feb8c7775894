import { OAuthError } from "../../../../base/oauth-error.ts";

/** Token types by the last part of their identifiers (RFC 8693 §3). */
export type TokenType = "access_token" | "refresh_token" | "id_token" | "jwt" | "user_id";
export type SubjectType = "access_token" | "id_token" | "jwt" | "user_id";
export type ActorType = "access_token";
export type RequestedType = "access_token" | "jwt" | "id_token";

interface TokenTypeRules {
  readonly identifier: string;
  /** `with_actor`: nothing proves that the subject agreed, so an actor has to be responsible. */
  readonly asSubject: "allowed" | "with_actor" | "refused";
  readonly asActor: boolean;
  readonly asRequested: boolean;
}

/**
 * The interface's token type matrix, but for id tokens of actors, which are refused. The middle word of `user_id` is a
 * namespace word, as in scopes: ours, or an alias.
 */
export const tokenTypes: Readonly<Record<TokenType, TokenTypeRules>> = {
  access_token: {
    identifier: "urn:ietf:params:oauth:token-type:access_token",
    asSubject: "allowed",
    asActor: true,
    asRequested: true,
  },
  refresh_token: {
    identifier: "urn:ietf:params:oauth:token-type:refresh_token",
    asSubject: "refused",
    asActor: false,
    asRequested: false,
  },
  id_token: {
    identifier: "urn:ietf:params:oauth:token-type:id_token",
    asSubject: "allowed",
    // It tells a client who signed in. It is sent to others as a hint, so it does not prove a right to act.
    asActor: false,
    asRequested: true,
  },
  jwt: {
    identifier: "urn:ietf:params:oauth:token-type:jwt",
    asSubject: "with_actor",
    asActor: false,
    asRequested: true,
  },
  user_id: {
    identifier: "urn:service:params:oauth:token-type:user_id",
    asSubject: "with_actor",
    asActor: false,
    asRequested: false,
  },
};

/** Returns the type of a subject token. A type that proves nothing by itself requires an actor. */
export function toSubjectType(identifier: string, hasActor: boolean): SubjectType {
  const type = find(identifier);
  if (type === undefined || tokenTypes[type].asSubject === "refused") throw unsupported("subject_token_type");
  if (tokenTypes[type].asSubject === "with_actor" && !hasActor) {
    throw new OAuthError("invalid_request", "this subject_token_type needs an actor_token");
  }
  return type as SubjectType;
}

export function toActorType(identifier: string): ActorType {
  const type = find(identifier);
  if (type === undefined || !tokenTypes[type].asActor) throw unsupported("actor_token_type");
  return type as ActorType;
}

export function toRequestedType(identifier: string): RequestedType {
  const type = find(identifier);
  if (type === undefined || !tokenTypes[type].asRequested) throw unsupported("requested_token_type");
  return type as RequestedType;
}

const byIdentifier = new Map(
  Object.entries(tokenTypes).map(([type, { identifier }]) => [identifier, type as TokenType]),
);
const find = (identifier: string): TokenType | undefined => byIdentifier.get(identifier);

const unsupported = (parameter: string): OAuthError =>
  new OAuthError("invalid_request", `the ${parameter} is not supported`);
