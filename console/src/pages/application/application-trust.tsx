import { useQuery } from "@connectrpc/connect-query";
import { ApplicationKeysSorting } from "@doorward/api/service/application/v2/application_key_pb";
import type { Application } from "@doorward/api/service/application/v2/application_pb";
import { ApplicationService } from "@doorward/api/service/application/v2/application_service_pb";
import { OIDCAuthMethodType, type OIDCConfiguration } from "@doorward/api/service/application/v2/oidc_pb";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { useRefresh } from "../../api/refresh.ts";
import { Button } from "../../parts/button.tsx";
import { CheckField, Form } from "../../parts/form.tsx";
import { ErrorNotice, Notice } from "../../parts/notice.tsx";
import { Facts, Section } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { ApplicationFrame } from "./application-frame.tsx";
import { type SeenApplication, trustDifferences, trustFacts } from "./seen-application.ts";
import { useUpdateOidc } from "./use-update-oidc.ts";

/** Whether users are asked before an application gets something, and what it may do as them. */
export function ApplicationTrustPage() {
  const [round, setRound] = useState(0);
  return (
    <ApplicationFrame>
      {(application) =>
        application.configuration.case === "oidcConfiguration" && (
          <WithKeys
            key={`${application.applicationId} ${round}`}
            application={application}
            configuration={application.configuration.value}
            onShow={() => setRound((former) => former + 1)}
          />
        )
      }
    </ApplicationFrame>
  );
}

interface WithKeysProps {
  readonly application: Application;
  readonly configuration: OIDCConfiguration;
  /** Shows the application as it is by then. */
  readonly onShow: () => void;
}

const mostKeys = 100;

/** Keys are read after the application, so that one that was added in between counts as a change of what is shown. */
function WithKeys({ application, configuration, onShow }: WithKeysProps) {
  const [first] = useState(application);
  const isWithKey = configuration.authMethodType === OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT;
  const filter = { case: "applicationIdFilter", value: { applicationId: application.applicationId } } as const;
  const found = useQuery(
    ApplicationService.method.listApplicationKeys,
    {
      pagination: { limit: mostKeys },
      sortingColumn: ApplicationKeysSorting.APPLICATION_KEYS_SORT_BY_CREATION_DATE,
      filters: [{ filter }],
    },
    { enabled: isWithKey, refetchOnMount: "always" },
  );
  if (isWithKey && found.isError) return <ErrorNotice error={found.error} />;
  if (isWithKey && !found.isFetchedAfterMount) return null;
  const keys = isWithKey ? (found.data?.keys ?? []) : [];
  return <Trust first={{ application: first, keys }} now={{ application, keys }} onShow={onShow} />;
}

interface TrustProps {
  /** As it was when the page began to show it. */
  readonly first: SeenApplication;
  readonly now: SeenApplication;
  readonly onShow: () => void;
}

function Trust({ first, now, onShow }: TrustProps) {
  const [seen] = useState(first);
  const obstacle = useObstacle("project.app.write");
  const isOther = seen.application.etag !== now.application.etag;
  return (
    <>
      {isOther && <Changed seen={seen} now={now} onShow={onShow} />}
      <Section title={t("application.trust.seen")}>
        <Facts facts={trustFacts(seen).map(([name, value]) => [name, shown(name, value)])} />
      </Section>
      <Section title={t("application.tab.trust")} lead={t("application.trust.lead")}>
        <TrustForm
          application={seen.application}
          readOnlyReason={obstacle ?? (isOther ? t("application.trust.changed") : undefined)}
          onSaved={onShow}
        />
      </Section>
    </>
  );
}

interface TrustFormProps {
  readonly application: Application;
  readonly readOnlyReason: string | undefined;
  readonly onSaved: () => void;
}

function TrustForm({ application, readOnlyReason, onSaved }: TrustFormProps) {
  const { applicationId, projectId, etag, configuration } = application;
  const update = useUpdateOidc({ applicationId, projectId });
  const refresh = useRefresh();
  const { consentRequired = false, trustedForApi = false } =
    configuration.case === "oidcConfiguration" ? configuration.value : {};
  const form = useForm({ defaultValues: { consentRequired, trustedForApi } });
  const mayTrust = useObstacle("iam.write");
  const save = async (values: { readonly consentRequired: boolean; readonly trustedForApi: boolean }) => {
    const changes = {
      // An administrator who sets it vouches for the application, so it is sent only when it was changed.
      ...(values.consentRequired !== consentRequired && { consentRequired: values.consentRequired }),
      // Only administrators of the instance may decide it.
      ...(values.trustedForApi !== trustedForApi && { trustedForApi: values.trustedForApi }),
    };
    try {
      await update(changes, etag);
    } catch (error) {
      // Shows what was changed meanwhile, if that is why.
      await refresh(ApplicationService);
      throw error;
    }
    onSaved();
  };
  return (
    <Form form={form} done={t("application.saved")} readOnlyReason={readOnlyReason} onSave={save}>
      <CheckField name="consentRequired" label={t("application.consent")} hint={t("application.consent.hint")} />
      <CheckField
        name="trustedForApi"
        label={t("application.trusted")}
        hint={t("application.trusted.hint")}
        disabledReason={mayTrust}
      />
    </Form>
  );
}

interface ChangedProps {
  readonly seen: SeenApplication;
  readonly now: SeenApplication;
  readonly onShow: () => void;
}

/** What others changed of the application while the page was open. */
function Changed({ seen, now, onShow }: ChangedProps) {
  const rows = trustDifferences(seen, now);
  return (
    <Notice kind="warning">
      <div className="column">
        <p>{t("application.trust.changed")}</p>
        {rows.length > 0 && (
          <Table
            label={t("application.trust.changed")}
            empty={undefined}
            rows={rows}
            rowKey={({ name }) => name}
            columns={[
              { key: "name", header: t("settings.conflict.field"), cell: ({ name }) => name },
              { key: "before", header: t("settings.conflict.before"), cell: ({ name, before }) => shown(name, before) },
              { key: "now", header: t("settings.conflict.now"), cell: (row) => shown(row.name, row.now) },
            ]}
          />
        )}
        <p>
          <Button onClick={onShow}>{t("application.trust.show")}</Button>
        </p>
      </div>
    </Notice>
  );
}

const shown = (name: string, value: string): ReactNode =>
  value === "" || name === t("application.method") ? value : <Lines key={name} value={value} />;

const Lines = ({ value }: { readonly value: string }) =>
  value.split("\n").map((line) => (
    <div key={line}>
      <code>{line}</code>
    </div>
  ));
