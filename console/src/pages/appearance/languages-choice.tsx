import { useQuery } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { t, textLanguage } from "../../text/catalogue.ts";

const names = new Intl.DisplayNames(textLanguage, { type: "language" });

/** Returns the name of a language in that of the console. */
export const nameOfLanguage = (tag: string): string => names.of(tag) ?? tag;

/** The languages that pages have, by name. */
export function useSupportedLanguages(): readonly string[] | undefined {
  const { data } = useQuery(AdminService.method.getSupportedLanguages, {}, { staleTime: Number.POSITIVE_INFINITY });
  return data?.languages.toSorted((left, right) => nameOfLanguage(left).localeCompare(nameOfLanguage(right)));
}

/** A choice among the languages that pages have. */
export function Languages({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (language: string) => void;
}) {
  const languages = useSupportedLanguages() ?? [value];
  return (
    <label className="filter-choice">
      <span className="only-read-aloud">{t("appearance.language")}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {languages.map((language) => (
          <option key={language} value={language}>
            {nameOfLanguage(language)}
          </option>
        ))}
      </select>
    </label>
  );
}
