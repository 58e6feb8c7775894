import { createCache, type Database, type Reader } from "../../database/index.ts";
import { findInstance } from "../instance/index.ts";
import { findOrganization } from "../organization/index.ts";
import { activeBranding, type Branding, type BrandingSettings, readSettings } from "../settings/index.ts";
import { type Brand, brandOf, builtInBrand } from "./brand.ts";

/** A brand with the organization or instance that it was requested for. */
export interface OwnedBrand extends Brand {
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
      const brand = await loadBrand(database.read, { instanceId, organizationId }, activeBranding);
      return brand && { instanceId, organizationId, brand };
    },
    aggregateTypes: ["instance", "organization"],
    isStaleAfter: (event, { instanceId, organizationId }) =>
      event.instanceId === instanceId && [instanceId, organizationId].includes(event.aggregateId),
    lengthOf: ({ brand }) => JSON.stringify(brand).length,
  });
  return async (instanceId, organizationId = "") => {
    const own = isId(organizationId) ? await cache.get(`${instanceId}\n${organizationId}`) : undefined;
    const found = own ?? (await cache.get(`${instanceId}\n`));
    return found?.brand ?? { ...builtInBrand, organizationId: "", isOfOrganization: false, primaryDomain: "" };
  };
}

/** How a branding looks before users see it. */
export interface WantedLook {
  /** Empty for the instance. */
  readonly organizationId: string;
  /** The active branding instead of the draft. */
  readonly isActive: boolean;
  /** Replaces the colors and choices of the draft; the files are those of the draft. */
  readonly look?: Omit<Branding, "assets"> | undefined;
  /** Only this theme, where the branding has both. */
  readonly theme?: "light" | "dark" | undefined;
}

/** Returns the draft of a branding, or what it would become. An unknown organization has none. */
export function findDraftBrand(
  read: Reader,
  instanceId: string,
  { organizationId, isActive, look, theme }: WantedLook,
): Promise<OwnedBrand | undefined> {
  const scope = { instanceId, organizationId, isMadeOwn: look !== undefined };
  return loadBrand(read, scope, ({ draft, ...active }, isOwn) => {
    // Organizations do not see the draft of the instance.
    const shown = isActive || !isOwn ? active : (draft ?? active);
    const changed = look === undefined ? shown : { ...look, assets: shown.assets ?? {} };
    return theme !== undefined && changed.themeMode === "auto" ? { ...changed, themeMode: theme } : changed;
  });
}

const isId = (text: string): boolean => /^[\w-]{1,200}$/.test(text);

interface BrandScope {
  readonly instanceId: string;
  readonly organizationId: string;
  /** The organization is about to get a branding of its own. */
  readonly isMadeOwn?: boolean;
}

async function loadBrand(
  read: Reader,
  { instanceId, organizationId, isMadeOwn = false }: BrandScope,
  choose: (settings: BrandingSettings, isOwn: boolean) => Branding,
): Promise<OwnedBrand | undefined> {
  const [instance, organization] = await Promise.all([
    findInstance(read, instanceId),
    organizationId === "" ? undefined : findOrganization(read, instanceId, organizationId),
  ]);
  if (instance === undefined || (organizationId !== "" && organization === undefined)) return undefined;
  const scope = { instanceId, ...(organization && { organizationId }) };
  const { settings, source } = await readSettings(read, "branding", scope);
  const isOwn = source === "organization";
  const isOfOrganization = isOwn || (isMadeOwn && organization !== undefined);
  const name = isOfOrganization ? (organization?.name ?? "") : instance.name;
  const brand = brandOf(choose(settings, isOwn || organizationId === ""), name);
  return { ...brand, organizationId, isOfOrganization, primaryDomain: organization?.primaryDomain ?? "" };
}
