import { parseStrictObject } from "../../../base/jose/index.ts";
import { isRecord } from "../../../base/json.ts";
import { OAuthError } from "../../../base/oauth-error.ts";
import type { ContextDemand } from "../../../domain/session/index.ts";
import { isUserClaim } from "../../claims/user-claims.ts";
import type { Parameters } from "../../parameters.ts";
import type { Asked } from "../asked.ts";
import type { ClaimsDemand } from "../authorization-request.ts";
import { keepSupported } from "../supported-contexts.ts";

/**
 * Checks the parameter `claims` (OpenID Connect Core §5.5). Unknown members and claims are ignored, and so is whether a
 * claim is essential: an absent claim is left out, never an error (§5.5.1). Two are strict: `sub` with a value
 * (§3.1.2.2, no other user may answer), and an essential `acr` with values (§5.5.1.1): when none of them is supported,
 * it is never met.
 */
export function checkClaims({ parameters }: Pick<Asked, "parameters">): { readonly claims: ClaimsDemand } {
  return { claims: readClaims(parameters) };
}

function readClaims(parameters: Parameters): ClaimsDemand {
  const text = parameters.get("claims");
  if (text === undefined) return { requested: undefined, subjects: undefined, context: undefined };
  const members = parseStrictObject(Buffer.from(text));
  if (members === undefined) throw malformed();
  const idToken = readMember(members["id_token"]);
  const userinfo = readMember(members["userinfo"]);
  const context = readAcr(idToken.get("acr"));
  const names = { idToken: namesOf(idToken), userinfo: namesOf(userinfo) };
  const isEmpty = names.idToken.length + names.userinfo.length === 0;
  return { requested: isEmpty ? undefined : names, subjects: commonSubjects(idToken, userinfo), context };
}

function readAcr(wish: ClaimWish | undefined): ContextDemand | undefined {
  if (wish?.values === undefined) return undefined;
  const supported = keepSupported(wish.values);
  if (!wish.isEssential) return { acrValues: supported };
  if (supported.length > 0) return { essentialAcr: supported };
  throw new OAuthError("unmet_authentication_requirements", "no sign-in here has one of the classes in acr");
}

interface ClaimWish {
  readonly isEssential: boolean;
  /** Requested values; absent when any value will do. */
  readonly values: readonly unknown[] | undefined;
}

function readMember(member: unknown): ReadonlyMap<string, ClaimWish> {
  if (member === undefined || member === null) return new Map();
  if (!isRecord(member)) throw malformed();
  return new Map(Object.entries(member).map(([name, wish]) => [name, readWish(wish)]));
}

function readWish(wish: unknown): ClaimWish {
  if (wish === null) return { isEssential: false, values: undefined };
  if (!isRecord(wish)) throw malformed();
  const { essential = false, value, values } = wish;
  if (typeof essential !== "boolean" || (values !== undefined && !Array.isArray(values))) throw malformed();
  return { isEssential: essential, values: value === undefined ? values : [value] };
}

const namesOf = (member: ReadonlyMap<string, ClaimWish>): string[] => [...member.keys()].filter(isUserClaim);

/** Returns the subjects that are in every list; undefined when there is no list. */
function commonSubjects(...members: readonly ReadonlyMap<string, ClaimWish>[]): readonly string[] | undefined {
  const lists = members.map((member) => member.get("sub")?.values).filter((values) => values !== undefined);
  const [first, ...others] = lists;
  if (first === undefined) return undefined;
  const texts = first.filter((subject) => typeof subject === "string");
  return texts.filter((subject) => others.every((list) => list.includes(subject)));
}

const malformed = (): OAuthError =>
  new OAuthError("invalid_request", "parameter claims is not a JSON object of the form that OpenID Connect defines");
