import { Fault } from "../../base/fault.ts";
import { type Call, requireCaller, withoutLoginClient } from "../../call/index.ts";
import type { Tx } from "../../database/index.ts";
import { insertIdentifier, insertIdentifiers, listStoredIdentifiers } from "./identifier.store.ts";

/** What an identifier was given to. All kinds share one space. */
type IdentifierKind = "instance" | "organization" | "user" | "project" | "application" | "client" | "group";

/**
 * What principals that are not users were called before their ids began with a slash. A node of that version, which
 * runs on during an upgrade, still writes the sessions of the hosted login as those of `login`.
 */
const formerPrincipals: ReadonlySet<string> = new Set(["login", "operator"]);

/**
 * Step: claims an identifier for what was just inserted, forever: it is never given again, not even to another kind of
 * thing or after a deletion. Tokens, logs and other systems keep identifiers, and would take the second holder for the
 * first (OpenID Connect Core §8: a `sub` is never reassigned). The unique key decides races. Throws `….id_taken`.
 */
export async function claimIdentifier(
  tx: Tx,
  kind: IdentifierKind,
  { identifier, field }: { readonly identifier: string; readonly field?: string },
): Promise<void> {
  if (!formerPrincipals.has(identifier) && (await insertIdentifier(tx, { identifier, kind }))) return;
  throw taken(kind, field);
}

/** Step: the same for several identifiers of one kind. Throws when one of them is not free. */
export async function claimIdentifiers(tx: Tx, kind: IdentifierKind, identifiers: readonly string[]): Promise<void> {
  if (identifiers.some((identifier) => formerPrincipals.has(identifier))) throw taken(kind);
  if ((await insertIdentifiers(tx, { identifiers, kind })) < identifiers.length) throw taken(kind);
}

/** Step: returns those of the identifiers that cannot be claimed any longer. */
export async function listGivenIdentifiers(tx: Tx, identifiers: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set([...formerPrincipals, ...(await listStoredIdentifiers(tx, tx.instanceId, identifiers))]);
}

const taken = (kind: IdentifierKind, field?: string): Fault =>
  new Fault("already_exists", slugs[kind], { ...(field !== undefined && { field }) });

const slugs = {
  instance: "organization.id_taken",
  organization: "organization.id_taken",
  user: "user.id_taken",
  project: "project.id_taken",
  application: "application.id_taken",
  client: "application.id_taken",
  group: "group.id_taken",
} as const satisfies Record<IdentifierKind, string>;

/**
 * Requires that a caller who chooses an identifier may write such things in the whole instance: the space of
 * identifiers belongs to all organizations, so the administrators of one of them get generated identifiers, as do
 * sign-in applications. What an import brings keeps its identifiers if its importer may choose them. Nothing is
 * required where none was chosen.
 */
export function requireChoiceOfIdentifier(
  call: Call,
  permission: "org.write" | "user.write" | "project.create" | "project.app.write" | "group.create",
  { identifier, field }: { readonly identifier: string | undefined; readonly field: string },
): void {
  const { access, importer } = requireCaller(call);
  const choosing = withoutLoginClient(importer?.access ?? access);
  if (identifier === undefined || choosing.allows(permission, {})) return;
  throw new Fault("permission_denied", "identifier.choice_denied", { field });
}
