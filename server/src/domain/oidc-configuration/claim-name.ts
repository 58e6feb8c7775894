import { Fault } from "../../base/fault.ts";
import type { OidcConfiguration } from "./oidc-configuration.ts";

/**
 * Claims of tokens and responses with a meaning in the protocol (RFC 7519 §4.1, RFC 9068, RFC 7662, OpenID Connect
 * Core, RFC 8693).
 */
const protocolClaims = new Set(
  "iss sub aud exp nbf iat jti typ azp client_id scope auth_time nonce acr amr sid act may_act cnf at_hash c_hash s_hash events".split(
    " ",
  ),
);
const answerClaims = new Set(["active", "token_type", "username"]);

/** Standard claims about users (OpenID Connect Core §5.1), which always mean what the standard says. */
const personClaims = new Set(
  "name given_name family_name middle_name nickname preferred_username profile picture website email email_verified gender birthdate zoneinfo locale phone_number phone_number_verified address updated_at".split(
    " ",
  ),
);

/** Whether only the protocols decide what a claim of this name says. */
export const isProtocolClaim = (name: string): boolean =>
  protocolClaims.has(name) || answerClaims.has(name) || name === "__proto__";

const simpleName = /^[A-Za-z][\w.:/-]{0,99}$/;

/**
 * Rejects names for the lists of roles and groups that belong to a protocol, to the user or to a namespace, and two
 * lists of one name.
 */
export function checkClaimNames({ roleListClaim, groupListClaim }: OidcConfiguration): void {
  checkClaimName(roleListClaim, "roleListClaim");
  checkClaimName(groupListClaim, "groupListClaim");
  if (roleListClaim === groupListClaim) throw refuse(groupListClaim, "groupListClaim");
}

function checkClaimName(name: string, field: string): void {
  const isFree = simpleName.test(name) && !isProtocolClaim(name) && !personClaims.has(name);
  if (!isFree || name.toLowerCase().startsWith("urn:")) throw refuse(name, field);
}

const refuse = (name: string, field: string): Fault =>
  new Fault("invalid_argument", "application.claim_name_invalid", {
    field: `oidcConfiguration.${field}`,
    values: { name: name.slice(0, 100) },
  });
