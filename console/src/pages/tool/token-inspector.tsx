import { useState } from "react";
import { Badge } from "../../parts/badge.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Facts, Page, Section } from "../../parts/page.tsx";
import { t } from "../../text/catalogue.ts";
import { formatExactly, formatRelatively } from "../../text/format.ts";
import { type InspectedToken, inspectToken } from "./inspect-token.ts";
import { ToolTabs } from "./tool-tabs.tsx";

/** Shows what is inside a token. It never leaves the browser. */
export function TokenInspectorPage() {
  const [text, setText] = useState("");
  const token = text.trim() === "" ? undefined : inspectToken(text.trim());
  return (
    <Page title={t("tool.inspector")} lead={t("tool.inspector.lead")} tabs={<ToolTabs />}>
      <label className="field">
        <span className="label">{t("tool.inspector.token")}</span>
        <textarea
          rows={6}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {text.trim() !== "" && token === undefined && <Notice>{t("tool.inspector.opaque")}</Notice>}
      {token && <Inspected token={token} />}
    </Page>
  );
}

const Inspected = ({ token }: { readonly token: InspectedToken }) => (
  <>
    <Section title={t("tool.inspector.summary")} actions={<Validity token={token} />}>
      <Facts
        facts={[
          [t("tool.inspector.issuer"), token.issuer],
          [t("tool.inspector.subject"), token.subject],
          [t("tool.inspector.audience"), token.audience.join(", ")],
          [t("tool.inspector.issued"), token.issuedAt && formatExactly(token.issuedAt)],
          [t("tool.inspector.expires"), token.expiresAt && formatExactly(token.expiresAt)],
        ]}
      />
    </Section>
    <Section title={t("tool.inspector.header")}>
      <pre>{JSON.stringify(token.header, null, 2)}</pre>
    </Section>
    <Section title={t("tool.inspector.claims")}>
      <pre>{JSON.stringify(token.claims, null, 2)}</pre>
    </Section>
  </>
);

function Validity({ token: { expiresAt } }: { readonly token: InspectedToken }) {
  if (expiresAt === undefined) return <Badge>{t("tool.inspector.noEnd")}</Badge>;
  const isOver = expiresAt.getTime() < Date.now();
  const when = formatRelatively(expiresAt);
  return isOver ? (
    <Badge look="bad">{t("tool.inspector.expired", { when })}</Badge>
  ) : (
    <Badge look="good">{t("tool.inspector.valid", { when })}</Badge>
  );
}
