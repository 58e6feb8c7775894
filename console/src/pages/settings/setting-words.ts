import { t } from "../../text/catalogue.ts";
import { formatNumber } from "../../text/format.ts";
import type { SettingField, SettingValues } from "./document.ts";

/** Returns what a field is called, with the unit of its number. */
export const labelOf = ({ kind, text }: SettingField): string =>
  kind === "minutes" || kind === "hours" || kind === "days" ? `${t(text)} ${t(`settings.in.${kind}`)}` : t(text);

/** Returns a value as a reader sees it. */
export function wordsOf({ kind }: SettingField, value: SettingValues[string] | undefined): string {
  if (kind === "flag") return value === true ? t("settings.on") : t("settings.off");
  if (kind === "text" || kind === "lines") return String(value ?? "") || t("settings.empty");
  return formatNumber(Number(value));
}
