import { type Call, requirePermission } from "../../call/index.ts";
import type { Details } from "../../database/index.ts";
import { findInstance } from "../instance/index.ts";
import { findOrganization } from "../organization/index.ts";
import { authorizeSettings, requirePolicyRead } from "../settings/index.ts";
import { findBuiltInTexts } from "./built-in-texts.ts";
import { type LoginScreens, toScreens } from "./custom-login-text.ts";
import type { LoginTranslationDeps } from "./get-login-translation.ts";
import { findTranslations } from "./login-translation.store.ts";
import { mergeTranslations, type Translations } from "./login-translation.ts";
import { type LoginTextScope, requireLanguage } from "./set-custom-login-text.ts";

/** Login texts with the details of their owner. */
export interface ShownLoginText {
  readonly screens: LoginScreens;
  /** No texts are set at this level. */
  readonly isDefault: boolean;
  readonly details: Details | undefined;
}

/** Returns the texts that a level sets itself, as they were set. */
export async function getCustomLoginText(
  deps: Pick<LoginTranslationDeps, "database">,
  call: Call,
  { organizationId, language }: LoginTextScope,
): Promise<ShownLoginText> {
  const { read } = deps.database;
  const locale = requireLanguage(language);
  await authorizeSettings(read, call, organizationId, "read");
  const own = await findTranslations(read, call.instanceId, { organizationId, locale });
  const owner =
    organizationId === ""
      ? await findInstance(read, call.instanceId)
      : await findOrganization(read, call.instanceId, organizationId);
  return { screens: toScreens(own ?? {}), isDefault: own === undefined, details: owner?.details };
}

/**
 * Returns the texts that a level inherits: those of our pages, and for organizations those of the instance over them.
 */
export async function getDefaultLoginText(
  deps: LoginTranslationDeps,
  call: Call,
  { isOfOrganization, language }: { readonly isOfOrganization: boolean; readonly language: string },
): Promise<ShownLoginText> {
  if (isOfOrganization) requirePolicyRead(call);
  else requirePermission(call, "iam.policy.read", {});
  const locale = requireLanguage(language);
  const instance = await findInstance(deps.database.read, call.instanceId);
  const inherited = await inheritedTexts(deps, call, { isOfOrganization, locale });
  return { screens: toScreens(inherited), isDefault: true, details: instance?.details };
}

async function inheritedTexts(
  deps: LoginTranslationDeps,
  call: Call,
  { isOfOrganization, locale }: { readonly isOfOrganization: boolean; readonly locale: string },
): Promise<Translations> {
  const builtIn = findBuiltInTexts(deps, locale);
  if (!isOfOrganization) return builtIn;
  const ofInstance = await findTranslations(deps.database.read, call.instanceId, { organizationId: "", locale });
  return mergeTranslations(builtIn, ofInstance ?? {});
}
