import { OAuthError } from "../../../../base/oauth-error.ts";
import type { Actor } from "../../../../domain/token/index.ts";

/** A longer chain of actors is a mistake or an attack. */
const maximumActors = 8;

/**
 * Returns `act` of the new token (RFC 8693 §4.1): outermost the actor, then the actors of the actor's token, innermost
 * the previous actors of the subject. Without an actor the previous ones stay: an exchange never turns a delegated
 * token into one of the user's own.
 */
export function chainActors(
  issuer: string,
  subject: { readonly actor: Actor | undefined },
  actor: { readonly userId: string; readonly actor: Actor | undefined } | undefined,
): Actor | undefined {
  const chain = actor === undefined ? [] : [{ iss: issuer, sub: actor.userId }, ...listActors(actor.actor)];
  const all = [...chain, ...listActors(subject.actor)];
  if (all.length > maximumActors) throw new OAuthError("invalid_request", "too many actors stand behind the tokens");
  return all.reduceRight<Actor | undefined>((act, { iss, sub }) => ({ iss, sub, ...(act && { act }) }), undefined);
}

function listActors(actor: Actor | undefined): Pick<Actor, "iss" | "sub">[] {
  return actor === undefined ? [] : [{ iss: actor.iss, sub: actor.sub }, ...listActors(actor.act)];
}
