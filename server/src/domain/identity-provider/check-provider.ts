import { Fault } from "../../base/fault.ts";
import { type Ldap, parseLdapAddress } from "../../base/ldap/index.ts";
import { hasInvisible } from "../../base/names/canonical.ts";
import type { TargetRule } from "../../base/outbound/index.ts";
import { type ProviderConfiguration, rulesOf } from "./provider-kinds.ts";

export interface CheckProviderDeps {
  /** Decides whether requests to an address would be allowed at all. */
  readonly allowsTarget: TargetRule;
  readonly ldap: Pick<Ldap, "mayTry">;
}

// RFC 6749 §3.3: the syntax of a scope.
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/;
const mostScopes = 20;

/** Rejects, naming the field, a configuration with which no user could ever sign in safely. */
export function checkConfiguration(deps: CheckProviderDeps, configuration: ProviderConfiguration): void {
  const { addresses, directories, unfit } = rulesOf(configuration);
  const { clientId, scopes } = { clientId: "", scopes: [], ...configuration };
  if (hasInvisible(clientId)) throw unfitField("clientId");
  for (const problem of unfit?.(configuration) ?? []) {
    if (typeof problem === "string") throw unfitField(problem);
    const { field, slug, values } = problem;
    throw new Fault("invalid_argument", slug, { field, values: { field, ...values } });
  }
  for (const [field, address] of Object.entries(addresses(configuration))) checkAddress(deps, field, address);
  const { servers = [], startsTls = false } = directories?.(configuration) ?? {};
  for (const server of servers) checkDirectory(deps, server, startsTls);
  if (scopes.length > mostScopes) {
    throw new Fault("invalid_argument", "field.too_many", {
      field: "scopes",
      values: { field: "scopes", maximum: mostScopes },
    });
  }
  if (!scopes.every((scope) => scopeToken.test(scope))) throw unfitField("scopes");
}

/** Returns the name to store: the given one, otherwise the default of the kind. */
export function checkName(name: string, configuration: ProviderConfiguration): string {
  const wanted = name.trim() || (rulesOf(configuration).defaultName ?? "");
  if (wanted === "")
    throw new Fault("invalid_argument", "field.required", { field: "name", values: { field: "name" } });
  if (hasInvisible(wanted)) throw unfitField("name");
  return wanted;
}

/**
 * Rejects an address that requests to providers may not have, naming the field. Identities are never requested
 * without TLS, unless the operator has allowed the address.
 */
export function checkAddress({ allowsTarget }: CheckProviderDeps, field: string, address: string): void {
  const verdict = allowsTarget(address, { demandsTls: true });
  if (verdict === "malformed") throw new Fault("invalid_argument", "identity_provider.address_invalid", { field });
  if (verdict === "forbidden") throw new Fault("failed_precondition", "identity_provider.address_forbidden", { field });
}

// Passwords never cross the internet without TLS. What a name resolves to is checked with every connection.
function checkDirectory({ ldap }: CheckProviderDeps, server: string, startsTls: boolean): void {
  const field = "servers";
  const address = parseLdapAddress(server);
  if (address === undefined) throw new Fault("invalid_argument", "identity_provider.server_invalid", { field });
  if (!ldap.mayTry({ ...address, startsTls })) {
    throw new Fault("failed_precondition", "identity_provider.server_forbidden", { field });
  }
}

const unfitField = (field: string): Fault =>
  new Fault("invalid_argument", "field.invalid", { field, values: { field } });
