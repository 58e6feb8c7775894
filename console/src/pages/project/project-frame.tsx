import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { type Project, ProjectState } from "@doorward/api/service/project/v2/project_pb";
import { ProjectService } from "@doorward/api/service/project/v2/project_service_pb";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useAddress } from "../../address.ts";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { Menu } from "../../parts/menu.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { ProjectBadges } from "./project-badges.tsx";

interface ProjectFrameProps {
  readonly children: (project: Project) => ReactNode;
  readonly actions?: ReactNode;
}

/** What every page about one project shares: its name and state, its tabs, and what can be done with it as a whole. */
export function ProjectFrame({ children, actions }: ProjectFrameProps) {
  const { projectId = "" } = useAddress().params;
  const found = useQuery(ProjectService.method.getProject, { projectId });
  const project = found.data?.project;
  const path = `/projects/${projectId}`;
  return (
    <Page
      title={project?.name ?? t("project.one")}
      parent={{ to: "/projects", label: t("nav.projects") }}
      badges={project && <ProjectBadges project={project} />}
      actions={
        <>
          {actions}
          {project && <ProjectMenu project={project} />}
        </>
      }
      tabs={
        <Tabs
          label={t("project.tabs")}
          tabs={[
            { to: path, label: t("project.tab.settings"), exact: true },
            { to: `${path}/applications`, label: t("nav.applications") },
            { to: `${path}/roles`, label: t("project.tab.roles") },
            { to: `${path}/assignments`, label: t("project.tab.assignments") },
            { to: `${path}/grants`, label: t("project.tab.grants") },
            { to: `${path}/resources`, label: t("project.tab.resources") },
          ]}
        />
      }
    >
      {found.isError && <ErrorNotice error={found.error} />}
      {project && children(project)}
    </Page>
  );
}

function ProjectMenu({ project: { projectId, name, state } }: { readonly project: Project }) {
  const [asked, setAsked] = useState<"deactivate" | "delete">();
  const client = createClient(ProjectService, useTransport());
  const queries = useQueryClient();
  const { go } = useAddress();
  const mayWrite = useObstacle("project.write");
  const mayDelete = useObstacle("project.delete");
  const isActive = state === ProjectState.ACTIVE;
  const confirm = async () => {
    await (asked === "delete" ? client.deleteProject({ projectId }) : client.deactivateProject({ projectId }));
    if (asked === "delete") go("/projects");
    await queries.invalidateQueries();
  };
  const activate = async () => {
    await client.activateProject({ projectId });
    await queries.invalidateQueries();
  };
  return (
    <>
      <Menu
        label={t("project.actions")}
        items={[
          {
            label: isActive ? t("project.deactivate") : t("project.activate"),
            disabledReason: mayWrite,
            onSelect: () => (isActive ? setAsked("deactivate") : void activate()),
          },
          { label: t("project.delete"), isDanger: true, disabledReason: mayDelete, onSelect: () => setAsked("delete") },
        ]}
      />
      {asked && (
        <DangerDialog
          title={asked === "delete" ? t("project.delete") : t("project.deactivate")}
          consequences={
            asked === "delete"
              ? [t("project.delete.applications"), t("project.delete.roles"), t("project.delete.grants")]
              : [t("project.deactivate.consequence")]
          }
          action={asked === "delete" ? t("project.delete") : t("project.deactivate")}
          {...(asked === "delete" && { nameToType: name })}
          onConfirm={confirm}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
