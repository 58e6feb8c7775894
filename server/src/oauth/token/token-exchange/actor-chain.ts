import type { Actor } from "../../../domain/token/index.ts";
import { OAuthError } from "../../error.ts";

/** More hands than this between a user and a token are a mistake or an attack. */
const maximumActors = 8;

/**
 * `act` of the new token (RFC 8693 §4.1): the actor outermost, inside of it those who act for the actor, innermost those who acted for the
 * subject already. Without an actor who acted goes on acting: an exchange never makes a delegated token one of the user's own.
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
