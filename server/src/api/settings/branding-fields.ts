import type { MessageInitShape } from "@bufbuild/protobuf";
import { type LabelPolicySchema, ThemeMode as ThemeMode1 } from "@doorward/api/service/policy/v1/policy_pb";
import {
  type BrandingSettingsSchema,
  ThemeMode as ThemeMode2,
  type ThemeSchema,
} from "@doorward/api/service/settings/v2/branding_pb";
import type { Branding, Theme } from "../../domain/settings/index.ts";
import { type FieldsOf, fieldsIn } from "./fields.ts";
import { choice, flag, text } from "./kinds.ts";

type Policy = MessageInitShape<typeof LabelPolicySchema>;
type Mode = Branding["themeMode"];

const theme = fieldsIn<MessageInitShape<typeof ThemeSchema>, Policy>();

/** Colors of the light theme, in the contract: a record in version 2, members of the policy in version 1. */
export const lightThemeFields = {
  primaryColor: theme.both("primaryColor", "primaryColor", text),
  backgroundColor: theme.both("backgroundColor", "backgroundColor", text),
  warnColor: theme.both("warnColor", "warnColor", text),
  fontColor: theme.both("fontColor", "fontColor", text),
} satisfies FieldsOf<Theme>;

/** Colors of the dark theme, in the contract. */
export const darkThemeFields = {
  primaryColor: theme.both("primaryColor", "primaryColorDark", text),
  backgroundColor: theme.both("backgroundColor", "backgroundColorDark", text),
  warnColor: theme.both("warnColor", "warnColorDark", text),
  fontColor: theme.both("fontColor", "fontColorDark", text),
} satisfies FieldsOf<Theme>;

/** The look without its themes and uploads. */
export type PlainBranding = Omit<Branding, "lightTheme" | "darkTheme" | "assets">;

const branding = fieldsIn<MessageInitShape<typeof BrandingSettingsSchema>, Policy>();

/** How pages and mails look, in the contract. Uploads are addresses in messages, and no part of requests. */
export const brandingFields = {
  themeMode: branding.both(
    "themeMode",
    "themeMode",
    choice<Mode, Record<Mode, ThemeMode2>, Record<Mode, ThemeMode1>>(
      { auto: ThemeMode2.AUTO, light: ThemeMode2.LIGHT, dark: ThemeMode2.DARK },
      { auto: ThemeMode1.AUTO, light: ThemeMode1.LIGHT, dark: ThemeMode1.DARK },
    ),
  ),
  hideLoginNameSuffix: branding.both("hideLoginNameSuffix", "hideLoginNameSuffix", flag),
  disableWatermark: branding.both("disableWatermark", "disableWatermark", flag),
} satisfies FieldsOf<PlainBranding>;
