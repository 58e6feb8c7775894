import { authenticationMethodsOf, authTimeOf, hasFirstFactor } from "./authentication.ts";
import type { Session } from "./session.ts";

/**
 * How much a sign-in proved: 0 nothing that signs in, 1 one factor, 2 two kinds of factor, 3 two kinds of which one is
 * a passkey or security key, which tells no other site anything. Each includes those below.
 */
export type ContextLevel = 0 | 1 | 2 | 3;

/**
 * The authentication context classes by their values in `acr`, and the level that each stands for. Those of the
 * namespace are ours; `multi-factor` is that of OpenID PAPE 1.0, by which applications commonly ask for a second
 * factor; `phr` is that of OpenID Connect Extended Authentication Profile ACR Values 1.0. There is no `phrh`: nothing
 * attests that a key is in hardware.
 */
const levels: ReadonlyMap<string, ContextLevel> = new Map([
  ["urn:service:iam:acr:1", 1],
  ["urn:service:iam:acr:2", 2],
  ["http://schemas.openid.net/pape/policies/2007/06/multi-factor", 2],
  ["phr", 3],
]);

/** Values of `acr_values_supported`, weakest first. */
export const supportedContexts: readonly string[] = [...levels.keys()];

/** Which values of `acr` a client asks for; those that are not supported are left out. */
export interface ContextDemand {
  /** Preferred values, best first (`acr_values`, OpenID Connect Core §3.1.2.1). */
  readonly acrValues?: readonly string[];
  /** One of these must be reached (§5.5.1.1). */
  readonly essentialAcr?: readonly string[];
}

/** Returns the level of a value of `acr`; 0 for an unknown one. */
export const levelOfContext = (acr: string | undefined): ContextLevel => levels.get(acr ?? "") ?? 0;

/** Returns what the checks of a session amount to, by the same checks as `amr`. */
export function contextLevelOf(session: Pick<Session, "factors">): ContextLevel {
  if (authTimeOf(session) === undefined || !hasFirstFactor(session)) return 0;
  return levelOfMethods(authenticationMethodsOf(session));
}

/** Returns what the methods of a complete sign-in amount to, as `amr` names them. */
export function levelOfMethods(methods: readonly string[]): ContextLevel {
  if (!methods.includes("mfa")) return 1;
  return methods.includes("user") ? 3 : 2;
}

/** Returns whether the level is one that the client insists on; always when it insists on none. */
export const meetsEssential = ({ essentialAcr }: ContextDemand, level: ContextLevel): boolean =>
  essentialAcr === undefined || essentialAcr.some((acr) => isWithin(acr, level));

/**
 * Returns the level to be aimed at by a user who can reach the given one: that of the first value that is within reach,
 * or of the least that the client insists on. Undefined when nothing is asked for.
 */
export function aimOf({ acrValues, essentialAcr }: ContextDemand, reach: ContextLevel): ContextLevel | undefined {
  const first = (essentialAcr ?? acrValues ?? []).find((acr) => isWithin(acr, reach));
  if (first !== undefined) return levelOfContext(first);
  const essential = (essentialAcr ?? []).map(levelOfContext).filter((level) => level > 0);
  return essential.length === 0 ? undefined : (Math.min(...essential) as ContextLevel);
}

/**
 * Returns the value of `acr` for a sign-in: the strongest of those that the client asked for, as it spelled it
 * (OpenID Connect Core §5.5.1.1), or else what was reached. Undefined when nothing was.
 */
export function describeContext(
  level: ContextLevel,
  { acrValues, essentialAcr }: ContextDemand = {},
): string | undefined {
  const asked = (essentialAcr ?? acrValues ?? []).filter((acr) => isWithin(acr, level));
  return strongest(asked) ?? strongest(supportedContexts.filter((acr) => isWithin(acr, level)));
}

/** Returns the weaker of two values of `acr`; undefined when one is absent or unknown. */
export function weakerContext(one: string | undefined, other: string | undefined): string | undefined {
  const [first, second] = [levelOfContext(one), levelOfContext(other)];
  if (first === 0 || second === 0) return undefined;
  return first <= second ? one : other;
}

const isWithin = (acr: string, level: ContextLevel): boolean => {
  const own = levelOfContext(acr);
  return own > 0 && own <= level;
};

// The first of those that are equally strong.
const strongest = (values: readonly string[]): string | undefined =>
  values.reduce<string | undefined>(
    (best, acr) => (best === undefined || levelOfContext(acr) > levelOfContext(best) ? acr : best),
    undefined,
  );
