import { Fault } from "../../base/fault.ts";
import type { Call } from "../../call/index.ts";
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

/** Finds the file of this name in an instance. Public: pages and mails show it to every visitor. */
export async function findBrandingFile(
  { database }: Pick<GetSettingsDeps, "database">,
  instanceId: string,
  fileName: string,
): Promise<BrandingFile | undefined> {
  const found = await findAsset(database.read, instanceId, fileName);
  return found && { contentType: found.contentType, bytes: Buffer.from(found.content, "base64") };
}
