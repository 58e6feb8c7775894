import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { InternalPermissionService } from "@doorward/api/service/internal_permission/v2/internal_permission_service_pb";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { OrganizationPicker } from "../../parts/organization-picker.tsx";
import { Page } from "../../parts/page.tsx";
import { type Choice, Picker } from "../../parts/picker.tsx";
import { ProjectPicker, UserPicker } from "../../parts/pickers.tsx";
import { t } from "../../text/catalogue.ts";
import { Explanation } from "./explanation.tsx";
import { findPermissions } from "./find-permissions.ts";
import { ToolTabs } from "./tool-tabs.tsx";

const levels = ["instance", "organization", "project"] as const;
type Level = (typeof levels)[number];

/** Answers why a user may do something, or what they lack. */
export function ExplainPermissionPage() {
  const client = createClient(InternalPermissionService, useTransport());
  const [user, setUser] = useState<Choice>();
  const [what, setWhat] = useState<Choice>();
  const [level, setLevel] = useState<Level>("instance");
  const [organization, setOrganization] = useState<Choice>();
  const [project, setProject] = useState<Choice>();
  const resource = resourceOf(level, { organization, project });
  const explain = useMutation({
    mutationFn: () => {
      const value = what?.id ?? "";
      return client.explainPermission({
        userId: user?.id ?? "",
        ...(resource && { resource: { resource } }),
        subject: { case: value.includes("/") ? "method" : "permission", value },
      });
    },
  });
  const isReady = user !== undefined && what !== undefined && resource !== undefined;
  return (
    <Page title={t("explain.title")} lead={t("explain.lead")} tabs={<ToolTabs />}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) explain.mutate();
        }}
      >
        <UserPicker label={t("explain.who")} chosen={user} onChoose={setUser} />
        <Picker
          label={t("explain.what")}
          hint={t("explain.what.hint")}
          queryKey="permission"
          chosen={what}
          onChoose={setWhat}
          find={findPermissions}
        />
        <label className="field">
          <span className="label">{t("administrator.level")}</span>
          <select value={level} onChange={(event) => setLevel(event.target.value as Level)}>
            {levels.map((each) => (
              <option key={each} value={each}>
                {t(`administrator.level.${each}`)}
              </option>
            ))}
          </select>
        </label>
        {level === "organization" && (
          <OrganizationPicker
            label={t("administrator.level.organization")}
            chosen={organization}
            onChoose={setOrganization}
          />
        )}
        {level === "project" && (
          <ProjectPicker label={t("administrator.level.project")} chosen={project} onChoose={setProject} />
        )}
        <p>
          <Button type="submit" look="primary" disabled={!isReady} isBusy={explain.isPending}>
            {t("explain.action")}
          </Button>
        </p>
      </form>
      {explain.isError && <ErrorNotice error={explain.error} />}
      {explain.data && <Explanation answer={explain.data} />}
    </Page>
  );
}

function resourceOf(
  level: Level,
  { organization, project }: { readonly organization: Choice | undefined; readonly project: Choice | undefined },
) {
  if (level === "instance") return { case: "instance", value: true } as const;
  if (level === "organization") return organization && ({ case: "organizationId", value: organization.id } as const);
  return project && ({ case: "projectId", value: project.id } as const);
}
