import { useState } from "react";
import type { ReportLine } from "../../../../server/src/cli/user/writing/report-line.ts";
import { csvHeader, toCsv } from "../../../../server/src/cli/user/writing/report-text.ts";
import { Badge, type BadgeLook } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { FilterChoice, Filters } from "../../parts/filter-bar.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { saveFile } from "../../parts/save-file.ts";
import { type Column, pageSize, Table } from "../../parts/table.tsx";
import { t } from "../../text/catalogue.ts";
import { formatNumber } from "../../text/format.ts";
import { outcomes, type Progress, type Result, type ResultOutcome } from "./results.ts";

interface ImportResultProps {
  readonly progress: Progress;
  readonly onStop: () => void;
}

/** How far an import is, and what became of each entry; what was not imported as it was can be saved as a file. */
export function ImportResult({ progress, onStop }: ImportResultProps) {
  const { isDryRun, isRunning, isStopped, total, done, counts, lines, failure } = progress;
  const title = isDryRun ? t("job.dryRun") : t("job.results");
  const save = () =>
    saveFile(
      new Blob([csvHeader, ...lines.map((line) => toCsv(inConsole(line)))], { type: "text/csv" }),
      "import-report.csv",
    );
  return (
    <Section
      title={title}
      actions={
        isRunning ? (
          <Button isBusy={isStopped} onClick={onStop}>
            {t("import.stop")}
          </Button>
        ) : (
          lines.length > 0 && <Button onClick={save}>{t("activity.download")}</Button>
        )
      }
    >
      <progress aria-label={t("job.progress")} max={Math.max(1, total)} value={isRunning ? done : Math.max(1, done)} />
      <p role="status">{outcomes.map((each) => `${outcomeName(each)}: ${formatNumber(counts[each])}`).join(" · ")}</p>
      {failure !== undefined && <Notice kind="error">{failure}</Notice>}
      {isStopped && !isRunning && <Notice kind="warning">{t("import.stopped")}</Notice>}
      {isDryRun && !isRunning && <Notice>{t("import.dry")}</Notice>}
      {!isRunning && <Results results={progress.results} />}
    </Section>
  );
}

const outcomeName = (outcome: ResultOutcome): string =>
  outcome === "failed" ? t("job.result.failed") : t(`import.${outcome}`);

const looks: Readonly<Record<ResultOutcome, BadgeLook>> = {
  created: "good",
  exists: "neutral",
  failed: "bad",
  skipped: "neutral",
};

function Results({ results }: { readonly results: readonly Result[] }) {
  const [outcome, setOutcome] = useState("");
  const [page, setPage] = useState(0);
  const found = results.filter((result) => outcome === "" || result.outcome === outcome);
  if (results.length === 0) return null;
  return (
    <>
      <Filters>
        <FilterChoice
          label={t("job.results")}
          value={outcome}
          options={outcomes.map((each) => [each, outcomeName(each)] as const)}
          onChange={(next) => {
            setOutcome(next);
            setPage(0);
          }}
        />
      </Filters>
      <Table
        label={t("job.results")}
        columns={columns}
        rows={found.slice(page * pageSize, (page + 1) * pageSize)}
        rowKey={({ key }) => key}
        paging={{ page, pageSize, total: found.length, onPage: setPage }}
        empty={<Empty>{t("user.list.nothing")}</Empty>}
      />
    </>
  );
}

const columns: readonly Column<Result>[] = [
  {
    key: "name",
    header: t("user.name"),
    cell: ({ name, row }) => (
      <div className="result-name">
        {name || "–"}
        {row > 0 && <span className="subtitle">{t("import.row", { number: formatNumber(row) })}</span>}
      </div>
    ),
  },
  {
    key: "outcome",
    header: t("job.results"),
    cell: ({ outcome }) => <Badge look={looks[outcome]}>{outcomeName(outcome)}</Badge>,
  },
  {
    key: "remarks",
    header: t("import.remarks"),
    cell: ({ lines }) => (
      <ul className="remarks">
        {lines.map((line) => (
          <Remark key={`${line.field} ${line.why}`} line={line} />
        ))}
      </ul>
    ),
  },
];

function Remark({ line }: { readonly line: ReportLine }) {
  const { what, field, why } = inConsole(line);
  // Of what the report says, only a refusal of the server has the language of the page.
  const text = what === "failed" ? <span dir="auto">{why}</span> : <bdi lang="en">{why}</bdi>;
  return (
    <li>
      {(what === "lost" || what === "changed") && <strong>{t(`import.${what}`)} </strong>}
      {field !== "" && <code>{field}</code>} {text}
    </li>
  );
}

/** Returns a line of the report without the command-line option at the end of its reason. */
const inConsole = (line: ReportLine): ReportLine => ({ ...line, why: line.why.replace(/ \(--[a-z-]+\)$/, "") });
