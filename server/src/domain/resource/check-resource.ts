import { Fault } from "../../base/fault.ts";
import { languages } from "../../base/language.ts";
import { hasInvisible } from "../../base/names/canonical.ts";
import { isName } from "../../base/names/name.ts";
import type { Tx } from "../../database/index.ts";
import { listApplicationsOfProject } from "../application/index.ts";
import { readSettings } from "../settings/index.ts";
import type { ResourceScope, ResourceSettings } from "./resource.ts";

const longestDescription = 300;

// RFC 6749 §3.3.
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/;
/** Scopes with a meaning everywhere (OpenID Connect Core §5.4, §11). */
const standardScopes: ReadonlySet<string> = new Set([
  "openid",
  "profile",
  "email",
  "address",
  "phone",
  "offline_access",
]);

/** Refuses settings that no resource of the project can have: what could not be read, or gives more than it seems. */
export async function checkResource(tx: Tx, settings: ResourceSettings, projectId: string): Promise<void> {
  if (!isName(settings.name)) throw invalid("resource.name_invalid", "name");
  checkScopes(settings.scopes);
  const { accessTokenLifetime } = settings;
  const isLifetime =
    Number.isInteger(accessTokenLifetime) && accessTokenLifetime >= 0 && accessTokenLifetime <= (await longest(tx));
  if (!isLifetime) throw invalid("resource.lifetime_invalid", "accessTokenLifetime");
  await checkApplications(tx, settings.applicationIds, projectId);
}

function checkScopes(scopes: readonly ResourceScope[]): void {
  const names = new Set<string>();
  for (const [index, { name, descriptions }] of scopes.entries()) {
    const field = `scopes[${index}]`;
    // A name with a meaning elsewhere would give that to the clients of the resource.
    const isReserved = standardScopes.has(name) || name.toLowerCase().startsWith("urn:") || names.has(name);
    if (!scopeToken.test(name) || isReserved) throw invalid("resource.scope_invalid", `${field}.name`);
    names.add(name);
    if (!Object.entries(descriptions).every(isDescription)) {
      throw invalid("resource.description_invalid", `${field}.descriptions`);
    }
  }
}

function isDescription([language, text]: readonly [string, string]): boolean {
  const isWords = text.trim() !== "" && text.length <= longestDescription && !hasInvisible(text);
  return isWords && languages.some((known) => known === language);
}

async function longest(tx: Tx): Promise<number> {
  const { settings } = await readSettings(tx, "oidc", { instanceId: tx.instanceId });
  return settings.accessTokenLifetimeSeconds;
}

async function checkApplications(tx: Tx, applicationIds: readonly string[], projectId: string): Promise<void> {
  if (applicationIds.length === 0) return;
  const applications = await listApplicationsOfProject(tx, tx.instanceId, projectId);
  const apis = new Set(applications.filter(({ kind }) => kind === "api").map(({ applicationId }) => applicationId));
  if (!applicationIds.every((id) => apis.has(id))) throw invalid("resource.application_unknown", "applicationIds");
}

const invalid = (slug: string, field: string): Fault => new Fault("invalid_argument", slug, { field });
