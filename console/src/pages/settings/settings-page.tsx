import { useTransport } from "@connectrpc/connect-query";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useAddress } from "../../address.ts";
import { Badge } from "../../parts/badge.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { useOrganizationId } from "../../shell/access.ts";
import { NotFound } from "../../shell/not-found.tsx";
import { t } from "../../text/catalogue.ts";
import type { SettingsDocument } from "./document.ts";
import { DocumentForm } from "./document-form.tsx";
import { documentsOf } from "./documents.ts";
import { readSettings } from "./read-settings.ts";

/** One document of settings, of the instance or of the organization that the console is about. */
export function SettingsPage() {
  const { params } = useAddress();
  const isInstance = useOrganizationId() === undefined;
  const document = documentsOf(isInstance).find((one) => one.path === params["document"]);
  return document === undefined ? <NotFound /> : <DocumentPage document={document} />;
}

function DocumentPage({ document }: { readonly document: SettingsDocument }) {
  const organizationId = useOrganizationId();
  const transport = useTransport();
  const queries = useQueryClient();
  const queryKey = ["settings", document.path];
  // Not read again behind a form: what was typed would be lost, and the state that it began with.
  const found = useQuery({
    queryKey,
    queryFn: () => readSettings(transport, document, organizationId),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const isInherited = organizationId !== undefined && found.data?.isOwn === false;
  return (
    <Page
      title={t(document.title)}
      lead={t(document.lead)}
      parent={{ to: "/settings", label: t("nav.settings") }}
      badges={
        organizationId !== undefined &&
        found.data && (
          <Badge look={isInherited ? "neutral" : "good"}>
            {isInherited ? t("settings.inherited") : t("settings.own")}
          </Badge>
        )
      }
    >
      {found.isError && <ErrorNotice error={found.error} />}
      {found.data && (
        <DocumentForm
          key={found.dataUpdatedAt}
          document={document}
          read={found.data}
          organizationId={organizationId}
          readAgain={() => queries.invalidateQueries({ queryKey })}
        />
      )}
    </Page>
  );
}
