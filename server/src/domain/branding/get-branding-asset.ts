import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
import { createCache, type Database } from "../../database/index.ts";
import { type BrandingAssetSlot, type GetSettingsDeps, getSettings } from "../settings/index.ts";
import { findAsset } from "./branding-asset.store.ts";

/** A file with its content type. */
export interface BrandingFile {
  readonly contentType: string;
  readonly bytes: Buffer;
}

export interface GetBrandingAsset {
  /** Empty for the instance. */
  readonly organizationId: string;
  readonly slot: BrandingAssetSlot;
  /** Of the draft. */
  readonly isPreview: boolean;
}

/**
 * Returns the picture or font of the effective look of an organization or instance, for a caller who may read its
 * settings.
 */
export async function getBrandingAsset(
  deps: GetSettingsDeps,
  call: Call,
  { organizationId, slot, isPreview }: GetBrandingAsset,
): Promise<BrandingFile> {
  const { settings } = await getSettings(deps, call, {
    kind: "branding",
    ...(organizationId !== "" && { organizationId }),
  });
  const { assets } = (isPreview ? settings.draft : undefined) ?? settings;
  const fileName = assets?.[slot];
  const file = fileName === undefined ? undefined : await findBrandingFile(deps, call.instanceId, fileName);
  if (file === undefined) throw new Fault("not_found", "branding.file_not_found");
  return file;
}

async function findBrandingFile(
  { database }: Pick<GetSettingsDeps, "database">,
  instanceId: string,
  fileName: string,
): Promise<BrandingFile | undefined> {
  const found = await findAsset(database.read, instanceId, fileName);
  return found && { contentType: found.contentType, bytes: Buffer.from(found.content, "base64") };
}

/** Finds the file of this name in an instance; many readers share its bytes. */
export type FindSharedBrandingFile = (instanceId: string, fileName: string) => Promise<BrandingFile | undefined>;

const mostBytes = 16 * 1024 * 1024;

/**
 * Creates the finder of files for any caller: pages and mails show them to every visitor. A file that is not read to
 * the end is kept until its connection closes, so all of them are the same bytes.
 */
export function createFindSharedBrandingFile(deps: { readonly database: Database }): FindSharedBrandingFile {
  const cache = createCache<BrandingFile & { readonly instanceId: string }>(deps.database, {
    load: async (key) => {
      const [instanceId = "", fileName = ""] = key.split("\n");
      const file = await findBrandingFile(deps, instanceId, fileName);
      return file && { ...file, instanceId };
    },
    // Several organizations may have the same file.
    aggregateTypes: ["instance", "organization"],
    isStaleAfter: (event, { instanceId }) => event.instanceId === instanceId,
    maximum: 1_000,
    lengthOf: ({ bytes }) => bytes.length,
    mostCharacters: mostBytes,
  });
  return async (instanceId, fileName) => cache.get(`${instanceId}\n${fileName}`);
}
