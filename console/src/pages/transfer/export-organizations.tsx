import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Notice } from "../../parts/notice.tsx";
import { OrganizationPicker } from "../../parts/organization-picker.tsx";
import { Section } from "../../parts/page.tsx";
import type { Choice } from "../../parts/picker.tsx";
import { saveFile } from "../../parts/save-file.ts";
import { useHomeOrganization, useObstacle, useOrganizationId } from "../../shell/access.ts";
import { useSession } from "../../shell/session-context.ts";
import { t } from "../../text/catalogue.ts";
import { CallButton } from "./call-button.tsx";
import { jsonApi } from "./json-api.ts";

/** Saves organizations in a file, without secrets. */
export function ExportOrganizations() {
  const session = useSession();
  const isOfOne = useOrganizationId() !== undefined;
  const home = useHomeOrganization();
  const [chosen, setChosen] = useState<Choice>();
  const organization = chosen ?? (isOfOne ? home : undefined);
  const obstacle = useObstacle("iam.read");
  const body = { ...(organization && { orgIds: [organization.id] }), responseOutput: true };
  const save = useMutation({
    mutationFn: async () => {
      const answer = await jsonApi(session, new AbortController().signal)("admin.v1.AdminService/ExportData", body);
      const name = `organizations${organization === undefined ? "" : `-${organization.id}`}.json`;
      saveFile(new Blob([JSON.stringify(answer)], { type: "application/json" }), name.replace(/[^\w.-]/g, "_"));
    },
  });
  return (
    <Section title={t("export.organizations")} lead={t("export.organizations.lead")}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!save.isPending) save.mutate();
        }}
      >
        {save.isError && <Notice kind="error">{save.error.message}</Notice>}
        {obstacle !== undefined && <p className="read-only">{obstacle}</p>}
        <fieldset disabled={obstacle !== undefined}>
          <OrganizationPicker
            label={t("scope.organization")}
            hint={isOfOne ? undefined : t("export.organizations.all")}
            chosen={organization}
            onChoose={setChosen}
          />
        </fieldset>
        <div className="form-actions">
          <Button type="submit" disabledReason={obstacle} isBusy={save.isPending}>
            {t("export.action")}
          </Button>
          <CallButton method="service.admin.v1.AdminService/ExportData" body={body} />
        </div>
      </form>
    </Section>
  );
}
