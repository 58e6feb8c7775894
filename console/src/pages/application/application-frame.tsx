import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { type Application, ApplicationState } from "@doorward/api/service/application/v2/application_pb";
import { ApplicationService } from "@doorward/api/service/application/v2/application_service_pb";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { useAddress } from "../../address.ts";
import { Badge } from "../../parts/badge.tsx";
import { DangerDialog } from "../../parts/danger-dialog.tsx";
import { Field } from "../../parts/form.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Menu } from "../../parts/menu.tsx";
import { ErrorNotice, Notice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { ApplicationBadge } from "./application-badge.tsx";
import { isConsole, kindOf } from "./application-facts.ts";

interface ApplicationFrameProps {
  readonly children: (application: Application) => ReactNode;
}

/** What every page about one application shares: its name, kind and state, its tabs, and what can be done with it. */
export function ApplicationFrame({ children }: ApplicationFrameProps) {
  const { applicationId = "" } = useAddress().params;
  const found = useQuery(ApplicationService.method.getApplication, { applicationId });
  const application = found.data?.application;
  const path = `/applications/${applicationId}`;
  const kind = application?.configuration.case;
  const isBuiltIn = application !== undefined && isConsole(application);
  return (
    <Page
      title={application?.name ?? t("application.one")}
      parent={{ to: "/applications", label: t("nav.applications") }}
      badges={
        application && (
          <>
            <ApplicationBadge application={application} />
            <Badge>{kindOf(application)}</Badge>
          </>
        )
      }
      actions={application && !isBuiltIn && <ApplicationMenu application={application} />}
      tabs={
        <Tabs
          label={t("application.tabs")}
          tabs={[
            { to: path, label: t("application.tab.overview"), exact: true },
            ...(kind && !isBuiltIn ? tabsOf(kind, path) : []),
          ]}
        />
      }
    >
      {found.isError && <ErrorNotice error={found.error} />}
      {isBuiltIn && <Notice>{t("application.builtIn")}</Notice>}
      {application && children(application)}
    </Page>
  );
}

type Kind = NonNullable<Application["configuration"]["case"]>;

/** The pages that applications of a kind have besides the overview. */
function tabsOf(kind: Kind, path: string): readonly { readonly to: string; readonly label: string }[] {
  const credentials = { to: `${path}/credentials`, label: t("application.tab.credentials") };
  if (kind === "apiConfiguration") return [credentials];
  if (kind === "samlConfiguration") return [{ to: `${path}/saml`, label: t("application.tab.saml") }];
  return [
    { to: `${path}/addresses`, label: t("application.tab.addresses") },
    credentials,
    { to: `${path}/tokens`, label: t("application.tab.tokens") },
    { to: `${path}/trust`, label: t("application.tab.trust") },
    { to: `${path}/test`, label: t("application.test") },
  ];
}

type Asked = "rename" | "deactivate" | "delete";

function ApplicationMenu({ application }: { readonly application: Application }) {
  const { applicationId, projectId, name, state } = application;
  const [asked, setAsked] = useState<Asked>();
  const client = createClient(ApplicationService, useTransport());
  const queries = useQueryClient();
  const { go } = useAddress();
  const mayWrite = useObstacle("project.app.write");
  const mayDelete = useObstacle("project.app.delete");
  const isActive = state === ApplicationState.ACTIVE;
  const named = { applicationId, projectId };
  const confirm = async () => {
    await (asked === "delete" ? client.deleteApplication(named) : client.deactivateApplication(named));
    if (asked === "delete") go("/applications");
    await queries.invalidateQueries();
  };
  const activate = async () => {
    await client.reactivateApplication(named);
    await queries.invalidateQueries();
  };
  return (
    <>
      <Menu
        label={t("application.actions")}
        items={[
          { label: t("application.rename"), disabledReason: mayWrite, onSelect: () => setAsked("rename") },
          {
            label: isActive ? t("application.deactivate") : t("application.activate"),
            disabledReason: mayWrite,
            onSelect: () => (isActive ? setAsked("deactivate") : void activate()),
          },
          {
            label: t("application.delete"),
            isDanger: true,
            disabledReason: mayDelete,
            onSelect: () => setAsked("delete"),
          },
        ]}
      />
      {asked === "rename" && <Rename application={application} onClose={() => setAsked(undefined)} />}
      {(asked === "deactivate" || asked === "delete") && (
        <DangerDialog
          title={asked === "delete" ? t("application.delete") : t("application.deactivate")}
          consequences={
            asked === "delete"
              ? [t("application.delete.signIn"), t("application.delete.tokens"), t("application.delete.keys")]
              : [t("application.deactivate.consequence")]
          }
          action={asked === "delete" ? t("application.delete") : t("application.deactivate")}
          {...(asked === "delete" && { nameToType: name })}
          onConfirm={confirm}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

interface RenameProps {
  readonly application: Application;
  readonly onClose: () => void;
}

function Rename({ application: { applicationId, projectId, name }, onClose }: RenameProps) {
  const client = createClient(ApplicationService, useTransport());
  const queries = useQueryClient();
  const form = useForm({ defaultValues: { name } });
  return (
    <FormDialog
      title={t("application.rename")}
      action={t("common.save")}
      done={t("application.saved")}
      form={form}
      onClose={onClose}
      onSave={async (values) => {
        await client.updateApplication({ applicationId, projectId, name: values.name.trim() });
        await queries.invalidateQueries();
      }}
    >
      <Field name="name" label={t("application.name")} hint={t("application.name.hint")} isRequired maxLength={200} />
    </FormDialog>
  );
}
