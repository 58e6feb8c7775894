import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { InternalPermissionService } from "@doorward/api/service/internal_permission/v2/internal_permission_service_pb";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { OrganizationPicker } from "../../parts/organization-picker.tsx";
import { Page } from "../../parts/page.tsx";
import type { Choice } from "../../parts/picker.tsx";
import { UserPicker } from "../../parts/pickers.tsx";
import { t } from "../../text/catalogue.ts";
import { Explanation } from "./explanation.tsx";
import { ToolTabs } from "./tool-tabs.tsx";

/** Answers why a user may do something, or what they lack. */
export function ExplainPermissionPage() {
  const client = createClient(InternalPermissionService, useTransport());
  const [user, setUser] = useState<Choice>();
  const [organization, setOrganization] = useState<Choice>();
  const [what, setWhat] = useState("");
  const explain = useMutation({
    mutationFn: () =>
      client.explainPermission({
        userId: user?.id ?? "",
        resource: {
          resource: organization
            ? { case: "organizationId", value: organization.id }
            : { case: "instance", value: true },
        },
        subject: what.includes("/")
          ? { case: "method", value: what.trim() }
          : { case: "permission", value: what.trim() },
      }),
  });
  const isReady = user !== undefined && what.trim() !== "";
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
        <label className="field">
          <span className="label">{t("explain.what")}</span>
          <input
            value={what}
            spellCheck={false}
            autoComplete="off"
            placeholder="user.write"
            onChange={(event) => setWhat(event.target.value)}
          />
          <span className="hint">{t("explain.what.hint")}</span>
        </label>
        <OrganizationPicker label={t("explain.where")} chosen={organization} onChoose={setOrganization} />
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
