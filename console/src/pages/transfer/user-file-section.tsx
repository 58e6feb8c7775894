import { useState } from "react";
import { Section } from "../../parts/page.tsx";
import { t } from "../../text/catalogue.ts";
import { formatNumber } from "../../text/format.ts";
import { createSource, isSecondFile, type Kind, kinds } from "./create-source.ts";
import { FileInput } from "./file-input.tsx";
import { type FileProblem, mostMegabytes, mostUsers, readText, readUserFile, type UserFile } from "./read-user-file.ts";

/** The files of an import as the user chose them. */
export interface ChosenFiles {
  readonly kind: Kind;
  readonly file: UserFile | undefined;
  readonly secondFile: string;
}

interface UserFileSectionProps {
  readonly files: ChosenFiles;
  readonly onChange: (files: ChosenFiles) => void;
}

const kindNames: Readonly<Record<Exclude<Kind, "csv">, string>> = {
  auth0: "Auth0",
  cognito: "Amazon Cognito",
  firebase: "Firebase",
  keycloak: "Keycloak",
};

/** Chooses the kind of file and the file, which is read at once. */
export function UserFileSection({ files, onChange }: UserFileSectionProps) {
  const { kind } = files;
  // Another kind begins with empty fields.
  const [key, setKey] = useState(0);
  const formOf = createSource(kind, { columns: new Map(), secondFile: "", takesRoles: false }).formOf;
  const readFile = async (chosen: File | undefined): Promise<string | undefined> => {
    const read = chosen === undefined ? undefined : await readUserFile(chosen, formOf);
    onChange({ ...files, file: typeof read === "object" ? read : undefined });
    return typeof read === "string" ? problemText(read) : undefined;
  };
  const readSecond = async (chosen: File | undefined): Promise<string | undefined> => {
    const text = chosen === undefined ? "" : ((await readText(chosen)) ?? "");
    const isUsable = chosen === undefined || isSecondFile(kind, text);
    onChange({ ...files, secondFile: isUsable ? text : "" });
    return isUsable ? undefined : problemText("form");
  };
  return (
    <Section title={t("import.file")}>
      <div className="form">
        <label className="field">
          <span className="label">{t("import.kind")}</span>
          <select
            value={kind}
            onChange={(event) => {
              setKey(key + 1);
              onChange({ kind: event.target.value as Kind, file: undefined, secondFile: "" });
            }}
          >
            {kinds.map((each) => (
              <option key={each} value={each}>
                {each === "csv" ? t("import.kind.csv") : kindNames[each]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className="form" key={key}>
        <FileInput
          label={t("import.file")}
          accept={kind === "csv" ? ".csv,.txt,text/csv" : ".json,.ndjson,.jsonl,.csv,application/json"}
          hint={
            <>
              {t("import.file.limit", { size: mostMegabytes, count: formatNumber(mostUsers) })}{" "}
              <code>doorward user import</code>
            </>
          }
          onFile={readFile}
        />
        {(kind === "auth0" || kind === "firebase") && (
          <FileInput
            label={kind === "auth0" ? t("import.file.hashes") : t("import.file.parameters")}
            hint={t("form.optional")}
            accept={kind === "auth0" ? ".json,.ndjson,.jsonl" : ".txt,.json,text/plain"}
            onFile={readSecond}
          />
        )}
      </div>
    </Section>
  );
}

function problemText(problem: FileProblem): string {
  if (problem === "size") return t("import.file.size", { size: mostMegabytes });
  return problem === "count" ? t("import.file.count", { count: formatNumber(mostUsers) }) : t("import.file.wrong");
}
