import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { TestSignInService } from "@doorward/api/service/test_sign_in/v2/test_sign_in_service_pb";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { ChecksField } from "../../parts/checks-field.tsx";
import { CheckField, Field, Form } from "../../parts/form.tsx";
import { ErrorNotice, Notice } from "../../parts/notice.tsx";
import { Section } from "../../parts/page.tsx";
import { useObstacle } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";
import { ApplicationFrame } from "./application-frame.tsx";
import { TestOutcome } from "./test-outcome.tsx";

/** Tries a sign-in, and shows what the application would get. */
export const ApplicationTestPage = () => (
  <ApplicationFrame>
    {({ applicationId, configuration }) =>
      configuration.case === "oidcConfiguration" && <Test key={applicationId} applicationId={applicationId} />
    }
  </ApplicationFrame>
);

const offered = [
  "openid",
  "profile",
  "email",
  "phone",
  "offline_access",
  "urn:service:iam:org:projects:roles",
  "urn:service:iam:user:metadata",
  "urn:service:iam:user:resourceowner",
].map((id) => ({ id, name: id }));

/** A test that was prepared. */
interface Prepared {
  readonly id: string;
  readonly path: string;
}

function Test({ applicationId }: { readonly applicationId: string }) {
  const client = createClient(TestSignInService, useTransport());
  const [prepared, setPrepared] = useState<Prepared>();
  const form = useForm({ defaultValues: { scopes: ["openid", "profile", "email"], more: "", requiresSignIn: false } });
  return (
    <>
      <Section title={t("application.test")} lead={t("application.test.lead")}>
        <Form
          form={form}
          action={t("application.test.start")}
          readOnlyReason={useObstacle("project.app.write")}
          onSave={async ({ scopes, more, requiresSignIn }) => {
            const others = more.split(/\s+/).filter((scope) => scope !== "");
            const given = { applicationId, scopes: [...new Set([...scopes, ...others])], requiresSignIn };
            const { id, path } = await client.createTestSignIn(given);
            setPrepared({ id, path });
            openWindow(path);
          }}
        >
          <ChecksField name="scopes" label={t("project.resource.scopes")} choices={offered} isRequired />
          <Field
            name="more"
            label={t("application.test.more")}
            hint={t("application.test.more.hint")}
            maxLength={4000}
          />
          <CheckField name="requiresSignIn" label={t("application.test.again")} />
        </Form>
      </Section>
      {prepared && <Running key={prepared.id} applicationId={applicationId} prepared={prepared} />}
    </>
  );
}

/** Opens the sign-in beside the console. A browser that does not allow it leaves the link. */
const openWindow = (path: string): void => void window.open(path, "_blank", "popup,width=520,height=760");

const interval = 1500;

/** Waits for the end of a test. Its result is given once, and kept in this document alone. */
function Running({
  applicationId,
  prepared: { id, path },
}: {
  readonly applicationId: string;
  readonly prepared: Prepared;
}) {
  const client = createClient(TestSignInService, useTransport());
  const found = useQuery({
    queryKey: ["test-sign-in", id],
    queryFn: () => client.finishTestSignIn({ id, applicationId }),
    refetchInterval: ({ state }) => (state.data?.outcome.case === undefined && !state.error ? interval : false),
    staleTime: "static",
    gcTime: 0,
    retry: 1,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const outcome = found.data?.outcome;
  if (outcome?.case !== undefined) return <TestOutcome outcome={outcome} />;
  if (found.isError) return <ErrorNotice error={found.error} />;
  return (
    <Notice>
      <p>{t("application.test.waiting")}</p>
      <p>
        <a href={path} target="_blank" rel="noopener">
          {t("application.test.open")}
        </a>
      </p>
    </Notice>
  );
}
