import { type TextKey, t, textLanguage } from "../../text/catalogue.ts";
import { formatNumber } from "../../text/format.ts";
import type { SettingField, SettingValues } from "./document.ts";

const listed = new Intl.ListFormat(textLanguage, { type: "unit" });

/** Returns what a field is called, with the unit of its number. */
export const labelOf = ({ kind, text }: SettingField): string =>
  kind === "minutes" || kind === "hours" || kind === "days" ? withUnit(text, kind) : t(text);

/** Returns a label with the unit of its number, in the brackets of the language. */
export const withUnit = (text: TextKey, unit: "minutes" | "hours" | "days"): string =>
  t("settings.inUnit", { label: t(text), unit: t(`settings.in.${unit}`) });

/** Returns a value as a reader sees it. */
export function wordsOf({ kind, choices = [] }: SettingField, value: SettingValues[string] | undefined): string {
  if (kind === "flag") return value === true ? t("settings.on") : t("settings.off");
  if (kind === "choices") {
    const chosen = value as readonly string[];
    return (
      listed.format(choices.filter(([id]) => chosen.includes(String(id))).map(([, text]) => t(text))) ||
      t("settings.empty")
    );
  }
  if (kind === "text" || kind === "lines") return String(value ?? "") || t("settings.empty");
  return formatNumber(Number(value));
}
