import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { ActionService } from "@doorward/api/service/action/v2/action_service_pb";
import type { Target } from "@doorward/api/service/action/v2/target_pb";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { linkTo } from "../../../address.ts";
import { useRefresh } from "../../../api/refresh.ts";
import { Copyable } from "../../../parts/copyable.tsx";
import { DangerDialog } from "../../../parts/danger-dialog.tsx";
import { DialogButton } from "../../../parts/dialog-button.tsx";
import { Form } from "../../../parts/form.tsx";
import { ErrorNotice } from "../../../parts/notice.tsx";
import { Facts, Section } from "../../../parts/page.tsx";
import { SecretDialog } from "../../../parts/secret-dialog.tsx";
import { Time } from "../../../parts/time.tsx";
import { useObstacle } from "../../../shell/access.ts";
import { t } from "../../../text/catalogue.ts";
import { conditionText } from "../execution/condition.ts";
import { ExecutionDialog } from "../execution/execution-dialog.tsx";
import { TargetFields } from "./target-fields.tsx";
import { TargetFrame } from "./target-frame.tsx";
import { toUpdateRequest, valuesOf } from "./target-values.ts";

/** The settings of a target, when it is called, and the key that signs its calls. */
export const TargetPage = () => (
  <TargetFrame>
    {(target) => (
      <>
        <Settings key={target.id} target={target} />
        <CalledWhen target={target} />
        <SigningKey target={target} />
      </>
    )}
  </TargetFrame>
);

function Settings({ target }: { readonly target: Target }) {
  const client = createClient(ActionService, useTransport());
  const refresh = useRefresh();
  const form = useForm({ defaultValues: valuesOf(target) });
  return (
    <Section title={t("automation.settings")}>
      <Facts
        facts={[
          [t("automation.id"), <Copyable key="id" value={target.id} />],
          [t("automation.created"), <Time key="created" at={target.creationDate} />],
          [t("automation.changed"), <Time key="changed" at={target.changeDate} />],
        ]}
      />
      <Form
        form={form}
        done={t("automation.saved")}
        readOnlyReason={useObstacle("action.target.write")}
        onSave={async (values) => {
          await client.updateTarget(toUpdateRequest(target, values));
          await refresh(ActionService);
        }}
      >
        <TargetFields />
      </Form>
    </Section>
  );
}

function CalledWhen({ target: { id: targetId, name } }: { readonly target: Target }) {
  const obstacle = useObstacle("action.execution.write");
  const found = useQuery(ActionService.method.listExecutions, {
    pagination: { limit: 50 },
    filters: [{ filter: { case: "targetFilter", value: { targetId } } }],
  });
  return (
    <Section
      title={t("automation.calledWhen")}
      actions={
        <DialogButton
          icon="plus"
          disabledReason={obstacle}
          dialog={(close) => <ExecutionDialog target={{ id: targetId, name }} onClose={close} />}
        >
          {t("automation.execution.add")}
        </DialogButton>
      }
    >
      {found.isError && <ErrorNotice error={found.error} />}
      {found.data?.executions.length === 0 && <p className="muted">{t("automation.calledWhen.never")}</p>}
      {found.data && (
        <ul className="plain-list">
          {found.data.executions.map(({ condition }) => (
            <li key={conditionText(condition)}>{conditionText(condition)}</li>
          ))}
        </ul>
      )}
      <p>
        <Link {...linkTo("/automation/executions")}>{t("automation.calledWhen.change")}</Link>
      </p>
    </Section>
  );
}

function SigningKey({ target: { id } }: { readonly target: Target }) {
  const client = createClient(ActionService, useTransport());
  const refresh = useRefresh();
  const [made, setMade] = useState<string>();
  const obstacle = useObstacle("action.target.write");
  return (
    <Section
      title={t("automation.signingKey")}
      lead={t("automation.signingKey.lead")}
      actions={
        <DialogButton
          icon="key"
          disabledReason={obstacle}
          dialog={(close) => (
            <DangerDialog
              title={t("automation.signingKey.replace")}
              consequences={[t("automation.signingKey.consequence")]}
              action={t("automation.signingKey.replace")}
              onConfirm={async () => {
                const expirationSigningKey = { seconds: 0n, nanos: 0 };
                const { signingKey } = await client.updateTarget({ id, expirationSigningKey });
                setMade(signingKey);
                await refresh(ActionService);
              }}
              onClose={close}
            />
          )}
        >
          {t("automation.signingKey.replace")}
        </DialogButton>
      }
    >
      {made !== undefined && (
        <SecretDialog
          title={t("automation.signingKey.new")}
          values={[[t("automation.signingKey"), made]]}
          onClose={() => setMade(undefined)}
        >
          <p className="muted">{t("automation.signingKey.use")}</p>
        </SecretDialog>
      )}
    </Section>
  );
}
