import { createCache, type Database } from "../../database/index.ts";
import { findInstance } from "../instance/index.ts";
import { findOrganization } from "../organization/index.ts";
import { activeBranding, readSettings } from "../settings/index.ts";
import { type Brand, brandOf, builtInBrand } from "./brand.ts";

/** A brand with the organization or instance that it was requested for. */
interface OwnedBrand extends Brand {
  /** The organization that the pages are of; empty for those of the instance. */
  readonly organizationId: string;
  /** Whether the organization made it, and does not just have that of the instance. */
  readonly isOfOrganization: boolean;
  /** The domain at the end of the organization's login names; empty for the instance. */
  readonly primaryDomain: string;
}

/**
 * Returns the branding of pages for an organization or the instance. An unknown organization has the branding of the
 * instance.
 */
export type FindBrand = (instanceId: string, organizationId: string | undefined) => Promise<OwnedBrand>;

interface Kept {
  readonly instanceId: string;
  readonly organizationId: string;
  readonly brand: OwnedBrand;
}

// A branding is a few kilobytes; requests for very many organizations do not come from users.
const maximum = 1_000;

/** Reads brandings, and caches each until the organization or the instance changes. */
export function createFindBrand({ database }: { readonly database: Database }): FindBrand {
  const cache = createCache<Kept>(database, {
    maximum,
    load: async (key) => {
      const [instanceId = "", organizationId = ""] = key.split("\n");
      const brand = await loadBrand(database, instanceId, organizationId);
      return brand && { instanceId, organizationId, brand };
    },
    aggregateTypes: ["instance", "organization"],
    isStaleAfter: (event, { instanceId, organizationId }) =>
      event.instanceId === instanceId && [instanceId, organizationId].includes(event.aggregateId),
  });
  return async (instanceId, organizationId = "") => {
    const own = isId(organizationId) ? await cache.get(`${instanceId}\n${organizationId}`) : undefined;
    const found = own ?? (await cache.get(`${instanceId}\n`));
    return found?.brand ?? { ...builtInBrand, organizationId: "", isOfOrganization: false, primaryDomain: "" };
  };
}

const isId = (text: string): boolean => /^[\w-]{1,200}$/.test(text);

async function loadBrand(
  { read }: Pick<Database, "read">,
  instanceId: string,
  organizationId: string,
): Promise<OwnedBrand | undefined> {
  const [instance, organization] = await Promise.all([
    findInstance(read, instanceId),
    organizationId === "" ? undefined : findOrganization(read, instanceId, organizationId),
  ]);
  if (instance === undefined || (organizationId !== "" && organization === undefined)) return undefined;
  const scope = { instanceId, ...(organization && { organizationId }) };
  const { settings, source } = await readSettings(read, "branding", scope);
  const name = source === "organization" ? (organization?.name ?? "") : instance.name;
  const brand = brandOf(activeBranding(settings), name);
  const isOfOrganization = source === "organization";
  return { ...brand, organizationId, isOfOrganization, primaryDomain: organization?.primaryDomain ?? "" };
}
