import { createClient, type Transport } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { useMemo, useState } from "react";
import { prepareUser, type Target } from "../../../../server/src/cli/user/checking/prepare-user.ts";
import { UserRefused } from "../../../../server/src/cli/user/sources/source.ts";
import type { SourceEntry } from "../../../../server/src/cli/user/writing/import-users.ts";
import { useRefresh } from "../../api/refresh.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { useHomeOrganization, useMyMemberships, useObstacleIn } from "../../shell/access.ts";
import { useSession } from "../../shell/session-context.ts";
import { t } from "../../text/catalogue.ts";
import { browserRules } from "./browser-rules.ts";
import { CallButton } from "./call-button.tsx";
import { ColumnTable } from "./column-table.tsx";
import { type Becomes, proposeFields } from "./columns.ts";
import { createSource } from "./create-source.ts";
import { ImportResult } from "./import-result.tsx";
import { runUserImport } from "./run-user-import.ts";
import { useRun } from "./use-run.ts";
import { useUsers } from "./use-users.ts";
import { type ChosenFiles, UserFileSection } from "./user-file-section.tsx";
import { type Options, UserOptions } from "./user-options.tsx";
import { UserPreview } from "./user-preview.tsx";

/** Creates users from a file: choose it, see what it becomes, try it, start. */
export function ImportUsersPage() {
  const [files, setFiles] = useState<ChosenFiles>({ kind: "csv", file: undefined, secondFile: "" });
  const [columns, setColumns] = useState<ReadonlyMap<string, Becomes>>(new Map());
  const [chosen, setOptions] = useState<Options>();
  const { progress, isRunning, start, stop, clear } = useRun();
  const options = useOptions(chosen);
  const { kind, file, secondFile } = files;
  const takesRoles = true;
  const source = useMemo(() => createSource(kind, { columns, secondFile, takesRoles }), [kind, columns, secondFile]);
  const users = useUsers(file, source);
  return (
    <Page
      title={t("import.users")}
      lead={t("import.users.lead")}
      parent={{ to: "/tools/import", label: t("import.title") }}
    >
      <fieldset className="plain-sections" disabled={isRunning}>
        <UserFileSection
          files={files}
          onChange={(next) => {
            clear();
            if (next.file !== file) setColumns(proposeFields(next.file?.columns ?? []));
            setFiles(next);
          }}
        />
        {file !== undefined && kind === "csv" && (
          <ColumnTable
            file={file}
            chosen={columns}
            onChoose={(next) => {
              clear();
              setColumns(next);
            }}
          />
        )}
        {users !== undefined && (
          <>
            <UserPreview entries={users.entries} />
            <StartSection
              key={file?.name}
              users={users}
              options={options}
              onChange={setOptions}
              isRunning={isRunning}
              start={start}
            />
          </>
        )}
      </fieldset>
      {progress !== undefined && <ImportResult progress={progress} onStop={stop} />}
    </Page>
  );
}

/** Returns the options as they are chosen, or those that are usual. */
function useOptions(chosen: Options | undefined): Options {
  const home = useHomeOrganization();
  return chosen ?? { organization: home, keepsIds: true, project: undefined, providers: new Map(), emailDomain: "" };
}

interface StartSectionProps {
  readonly users: NonNullable<ReturnType<typeof useUsers>>;
  readonly options: Options;
  readonly onChange: (options: Options) => void;
  readonly isRunning: boolean;
  readonly start: ReturnType<typeof useRun>["start"];
}

function StartSection({ users, options, onChange, isRunning, start }: StartSectionProps) {
  const session = useSession();
  const transport = useTransport();
  const refresh = useRefresh();
  const [error, setError] = useState<unknown>();
  const memberships = useMyMemberships();
  const idObstacle = memberships?.some(({ type }) => type.case === "iam") ? undefined : t("import.keepIds.denied");
  const { organization } = options;
  const obstacle = useObstacleIn(organization?.id ?? "", "user.write");
  const targetOf = (roleKeys: ReadonlySet<string>): Target => ({
    organizationId: organization?.id ?? "",
    hasNewIds: !options.keepsIds || idObstacle !== undefined,
    projectId: options.project?.id,
    roleKeys,
    providers: options.providers,
    emailDomain: options.emailDomain.trim() || undefined,
  });
  const begin = async (isDryRun: boolean): Promise<void> => {
    setError(undefined);
    try {
      const target = targetOf(await readRoleKeys(transport, options.project?.id));
      await start((signal, onProgress) =>
        runUserImport({ session, signal, isDryRun, entries: users.entries, target, onProgress }),
      );
      if (!isDryRun) await refresh(UserService);
    } catch (failure) {
      setError(failure);
    }
  };
  const isReady = organization !== undefined && obstacle === undefined;
  return (
    <Section title={t("import.options")}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isRunning) void begin(false);
        }}
      >
        {error !== undefined && <ErrorNotice error={error} />}
        {organization !== undefined && obstacle !== undefined && <p className="read-only">{obstacle}</p>}
        <UserOptions users={users} options={options} onChange={onChange} idObstacle={idObstacle} />
        <div className="form-actions">
          <Button disabledReason={obstacle} disabled={!isReady} isBusy={isRunning} onClick={() => void begin(true)}>
            {t("job.dryRun")}
          </Button>
          <Button type="submit" look="primary" disabledReason={obstacle} disabled={!isReady} isBusy={isRunning}>
            {t("import.start")}
          </Button>
          <CallButton
            method="service.user.v2.UserService/CreateUser"
            body={firstRequest(users.entries, targetOf(new Set()))}
          />
        </div>
      </form>
    </Section>
  );
}

/** The call for the first user that can be created, as an example. */
function firstRequest(entries: readonly SourceEntry[], target: Target): object {
  for (const entry of entries.slice(0, 100)) {
    if (!("user" in entry) || entry.user.skipReason !== "") continue;
    try {
      return prepareUser(entry.user, target, browserRules).request;
    } catch (error) {
      if (!(error instanceof UserRefused)) throw error;
    }
  }
  return {};
}

const mostRoles = 1000;

async function readRoleKeys(transport: Transport, projectId: string | undefined): Promise<ReadonlySet<string>> {
  if (projectId === undefined) return new Set();
  const { projectRoles } = await createClient(ProjectService, transport).listProjectRoles({
    projectId,
    pagination: { limit: mostRoles, asc: true },
  });
  return new Set(projectRoles.map(({ key }) => key));
}
