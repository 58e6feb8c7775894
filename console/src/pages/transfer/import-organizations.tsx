import { OrganizationService } from "@doorward/api/service/org/v2/org_service_pb";
import { useState } from "react";
import { useRefresh } from "../../api/refresh.ts";
import { Button } from "../../parts/button.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useObstacle } from "../../shell/access.ts";
import { useSession } from "../../shell/session-context.ts";
import { t } from "../../text/catalogue.ts";
import { formatNumber } from "../../text/format.ts";
import { CallButton } from "./call-button.tsx";
import { FileInput } from "./file-input.tsx";
import { ImportResult } from "./import-result.tsx";
import { type OrganizationFile, readOrganizationFile } from "./organization-file.ts";
import { mostMegabytes, readText } from "./read-user-file.ts";
import { runOrganizationImport } from "./run-organization-import.ts";
import { useRun } from "./use-run.ts";

/** Creates organizations from a file that another installation has exported. */
export function ImportOrganizationsPage() {
  const session = useSession();
  const refresh = useRefresh();
  const obstacle = useObstacle("iam.write");
  const [organizations, setOrganizations] = useState<OrganizationFile>();
  const { progress, isRunning, start, stop, clear } = useRun();
  const readFile = async (file: File | undefined): Promise<string | undefined> => {
    clear();
    const text = file && (await readText(file));
    const read = file && text !== undefined ? await readOrganizationFile(file.name, text) : undefined;
    setOrganizations(read);
    if (file === undefined || read !== undefined) return undefined;
    const isLarge = file.size > mostMegabytes * 1_000_000;
    return isLarge ? t("import.file.size", { size: mostMegabytes }) : t("import.file.wrong");
  };
  const begin = async (isDryRun: boolean): Promise<void> => {
    if (organizations === undefined || isRunning) return;
    await start((signal, onProgress) =>
      runOrganizationImport({ session, signal, isDryRun, organizations, onProgress }),
    );
    if (!isDryRun) await refresh(OrganizationService);
  };
  return (
    <Page
      title={t("import.organizations")}
      lead={t("import.organizations.lead")}
      parent={{ to: "/tools/import", label: t("import.title") }}
    >
      <fieldset className="plain-sections" disabled={isRunning}>
        <Section title={t("import.file")}>
          {obstacle !== undefined && <p className="read-only">{obstacle}</p>}
          <Notice kind="warning">{t("import.organizations.trust")}</Notice>
          <FileInput
            label={t("import.file")}
            accept=".json,application/json"
            hint={
              <>
                {t("import.file.limitOrganizations", { size: mostMegabytes })} <code>doorward org import</code>
              </>
            }
            onFile={readFile}
          />
        </Section>
        {organizations !== undefined && (
          <Section
            title={t("import.preview")}
            lead={t("import.preview.count", { count: formatNumber(organizations.frames.length) })}
          >
            <Table
              label={t("import.preview")}
              columns={columns}
              rows={organizations.frames.slice(0, shown).map(({ orgId, members }, index) => ({
                index,
                orgId,
                name: nameOf(members["org"]),
                contents: organizations.contents[index],
              }))}
              rowKey={({ index }) => String(index)}
              empty={null}
            />
            <div className="form-actions">
              <Button disabledReason={obstacle} isBusy={isRunning} onClick={() => void begin(true)}>
                {t("job.dryRun")}
              </Button>
              <Button look="primary" disabledReason={obstacle} isBusy={isRunning} onClick={() => void begin(false)}>
                {t("import.start")}
              </Button>
              <CallButton method="service.admin.v1.AdminService/ImportData" body={exampleOf(organizations)} />
            </div>
          </Section>
        )}
      </fieldset>
      {progress !== undefined && <ImportResult progress={progress} onStop={stop} />}
    </Page>
  );
}

const shown = 20;

/** A request with nothing but the names of organizations: the whole of it would fill many pages. */
const exampleOf = ({ frames, isFirstFormat }: OrganizationFile): object => ({
  [isFirstFormat ? "dataOrgsv1" : "dataOrgs"]: {
    orgs: frames
      .slice(0, shown)
      .map(({ orgId, members }) => ({ orgId, ...("org" in members && { org: members["org"] }) })),
  },
});

interface ShownOrganization {
  readonly index: number;
  readonly orgId: string;
  readonly name: string;
  readonly contents: ReadonlyMap<string, number> | undefined;
}

const columns: readonly Column<ShownOrganization>[] = [
  {
    key: "name",
    header: t("user.organization"),
    cell: ({ orgId, name }) => (
      <>
        {name || orgId}
        <span className="subtitle">{orgId}</span>
      </>
    ),
  },
  {
    key: "holds",
    header: t("import.preview.holds"),
    cell: ({ contents = new Map() }) => (
      <bdi lang="en">
        {[...contents]
          .filter(([member]) => member !== "orgId")
          .map(([member, count]) => `${member}: ${formatNumber(count)}`)
          .join(" · ")}
      </bdi>
    ),
  },
];

const nameOf = (value: unknown): string =>
  typeof value === "object" && value !== null && "name" in value ? String(value.name) : "";
