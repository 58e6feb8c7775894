import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { CodeBlock } from "../../parts/code-block.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Facts, Section } from "../../parts/page.tsx";
import { readEnvironment } from "../../session/environment.ts";
import { t } from "../../text/catalogue.ts";
import { SamlAddresses } from "./saml-addresses.tsx";
import { snippetOf } from "./snippets.ts";
import type { Stack } from "./stacks.ts";

// Where it cannot be loaded, the page still shows the secret, which is shown once.
const FirstSignIn = lazy(async () => {
  try {
    return { default: (await import("./first-sign-in.tsx")).FirstSignIn };
  } catch {
    return { default: () => null };
  }
});

/** An application that was just created, with its secret, which is not shown again. */
export interface CreatedApplication {
  readonly applicationId: string;
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly creationDate: Timestamp | undefined;
  readonly stack: Stack;
  readonly redirectUri: string | undefined;
}

interface ApplicationResultProps {
  readonly application: CreatedApplication;
}

/** How to connect a new application, and whether a user has signed in to it yet. */
export const ApplicationResult = ({ application }: ApplicationResultProps) =>
  application.stack.kind === "saml" ? (
    <>
      <Section title={t("application.saml.ours")} lead={t("application.saml.ours.lead")}>
        <SamlAddresses />
      </Section>
      <OpenLink applicationId={application.applicationId} />
    </>
  ) : (
    <Credentials application={application} />
  );

const OpenLink = ({ applicationId }: { readonly applicationId: string }) => (
  <p>
    <Link to={`/applications/${applicationId}` as "/"}>{t("application.open")}</Link>
  </p>
);

function Credentials({ application }: ApplicationResultProps) {
  const { applicationId, clientId, clientSecret, creationDate, stack, redirectUri = "" } = application;
  const issuer = readEnvironment().origin;
  const variables = [
    `DOORWARD_ISSUER=${issuer}`,
    `DOORWARD_CLIENT_ID=${clientId}`,
    ...(clientSecret === "" ? [] : [`DOORWARD_CLIENT_SECRET=${clientSecret}`]),
    ...(redirectUri === "" ? [] : [`DOORWARD_REDIRECT_URI=${redirectUri}`]),
  ].join("\n");
  const snippet = snippetOf(stack, { issuer, clientId, redirectUri });
  return (
    <>
      {clientSecret !== "" && <Notice kind="warning">{t("application.secret.once")}</Notice>}
      <Section title={t("application.connect")}>
        <Facts
          facts={[
            [t("application.issuer"), <Copyable key="issuer" value={issuer} />],
            [t("application.clientId"), <Copyable key="client" value={clientId} />],
            ...(clientSecret === ""
              ? []
              : [
                  [
                    t("application.secret"),
                    <Copyable key="secret" value={clientSecret} label={t("application.secret")} />,
                  ] as const,
                ]),
          ]}
        />
        <h3>{t("application.variables")}</h3>
        <CodeBlock code={variables} label={t("application.variables")} />
        {snippet !== undefined && (
          <>
            <h3>{stack.name}</h3>
            <CodeBlock code={snippet} label={stack.name} />
          </>
        )}
      </Section>
      <Suspense>
        {stack.kind !== "api" && creationDate && <FirstSignIn clientId={clientId} since={creationDate} />}
      </Suspense>
      {stack.kind === "api" && clientSecret === "" && (
        <p>
          <Link to={`/applications/${applicationId}/credentials` as "/"}>{t("application.keys.next")}</Link>
        </p>
      )}
      <OpenLink applicationId={applicationId} />
    </>
  );
}
