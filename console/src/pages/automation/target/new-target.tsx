import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { ActionService } from "@doorward/api/service/action/v2/action_service_pb";
import { type CreateTargetResponse, PayloadType } from "@doorward/api/service/action/v2/target_pb";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useAddress } from "../../../address.ts";
import { useRefresh } from "../../../api/refresh.ts";
import { Form } from "../../../parts/form.tsx";
import { Page, Section } from "../../../parts/page.tsx";
import { SecretDialog } from "../../../parts/secret-dialog.tsx";
import { useObstacle } from "../../../shell/access.ts";
import { t } from "../../../text/catalogue.ts";
import { TargetFields } from "./target-fields.tsx";
import { newTarget, toCreateRequest } from "./target-values.ts";

/** Creates a target, and shows the key of its signatures once. */
export function NewTargetPage() {
  const { go } = useAddress();
  const client = createClient(ActionService, useTransport());
  const refresh = useRefresh();
  const [made, setMade] = useState<CreateTargetResponse>();
  const form = useForm({ defaultValues: newTarget });
  // Nothing can be sent until it has a key, so that comes next.
  const isEncrypted = form.watch("payloadType") === String(PayloadType.JWE);
  return (
    <Page
      title={t("automation.target.create")}
      lead={t("automation.targets.lead")}
      parent={{ to: "/automation", label: t("automation.targets") }}
    >
      <Section title={t("automation.target.one")}>
        <Form
          form={form}
          action={t("automation.target.create")}
          readOnlyReason={useObstacle("action.target.write")}
          onSave={async (values) => {
            const answer = await client.createTarget(toCreateRequest(values));
            await refresh(ActionService);
            setMade(answer);
          }}
        >
          <TargetFields />
        </Form>
      </Section>
      {made && (
        <SecretDialog
          title={t("automation.target.created")}
          values={[[t("automation.signingKey"), made.signingKey]]}
          onClose={() => go(`/automation/targets/${made.id}${isEncrypted ? "/encryption" : ""}`)}
        >
          <p className="muted">{t("automation.signingKey.use")}</p>
        </SecretDialog>
      )}
    </Page>
  );
}
