import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { useAddress } from "../../../address.ts";
import { useRefresh } from "../../../api/refresh.ts";
import { Page, Section } from "../../../parts/page.tsx";
import { tell } from "../../../parts/toast.tsx";
import { t } from "../../../text/catalogue.ts";
import { OwnerNotice } from "./owner-notice.tsx";
import { ScriptForm } from "./script-form.tsx";

const example = `function plan(ctx, api) {
  const { metadata } = ctx.v1.org.getMetadata();
  const plan = metadata.find(({ key }) => key === "plan");
  if (plan !== undefined) api.v1.claims.setClaim("plan", plan.value);
}
`;

/** Creates a script, which runs once it is at a trigger. */
export function NewScriptPage() {
  const { go } = useAddress();
  const client = createClient(ManagementService, useTransport());
  const refresh = useRefresh();
  return (
    <Page
      title={t("automation.script.create")}
      lead={t("automation.scripts.lead")}
      parent={{ to: "/automation/scripts", label: t("automation.scripts") }}
    >
      <OwnerNotice />
      <Section title={t("automation.script.one")}>
        <ScriptForm
          values={{ name: "plan", script: example, timeout: "10", allowedToFail: false }}
          action={t("automation.script.create")}
          onSave={async (script) => {
            const { id } = await client.createAction(script);
            await refresh(ManagementService);
            tell(t("automation.script.created"));
            // After the form has noted that it is saved, so that it does not ask about unsaved changes.
            setTimeout(() => go(`/automation/scripts/${id}`));
          }}
        />
      </Section>
    </Page>
  );
}
