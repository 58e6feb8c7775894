import { csvFields } from "../../../../server/src/cli/user/source-kinds.ts";
import { Section } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { t } from "../../text/catalogue.ts";
import { type Becomes, chooseField, fieldName, isSecret } from "./columns.ts";
import type { UserFile } from "./read-user-file.ts";

interface ColumnTableProps {
  readonly file: UserFile;
  readonly chosen: ReadonlyMap<string, Becomes>;
  readonly onChoose: (chosen: ReadonlyMap<string, Becomes>) => void;
}

const shownValues = 3;

/** What each column of a table becomes. */
export function ColumnTable({ file, chosen, onChoose }: ColumnTableProps) {
  const columns: readonly Column<string>[] = [
    { key: "column", header: t("import.column"), cell: (column) => <bdi>{column || "–"}</bdi> },
    {
      key: "values",
      header: t("import.column.values"),
      isSecondary: true,
      cell: (column) => valuesOf(file, column, chosen),
    },
    {
      key: "becomes",
      header: t("import.column.becomes"),
      cell: (column) => (
        <select
          aria-label={t("import.column.of", { name: column })}
          value={chosen.get(column) ?? ""}
          onChange={(event) => onChoose(chooseField(chosen, column, event.target.value as Becomes))}
        >
          <option value="">{t("import.none")}</option>
          {csvFields.map((field) => (
            <option key={field} value={field}>
              {fieldName(field)}
            </option>
          ))}
          <option value="metadata">{t("user.tab.metadata")}</option>
        </select>
      ),
    },
  ];
  return (
    <Section title={t("import.columns")}>
      <Table
        label={t("import.columns")}
        columns={columns}
        rows={file.columns}
        rowKey={(column) => column}
        empty={null}
      />
    </Section>
  );
}

function valuesOf(file: UserFile, column: string, chosen: ReadonlyMap<string, Becomes>) {
  const values = file.entries
    .slice(0, shownValues)
    .map((entry) => ("record" in entry ? String(entry.record[column] ?? "") : ""))
    .filter((value) => value !== "");
  if (values.length > 0 && isSecret(column, chosen.get(column) ?? "")) return "••••••";
  return <bdi className="values">{values.map((value) => value.slice(0, 40)).join(" · ")}</bdi>;
}
