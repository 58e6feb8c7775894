import type { SourceEntry } from "../../../../server/src/cli/user/writing/import-users.ts";
import { Badge } from "../../parts/badge.tsx";
import { Section } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { t } from "../../text/catalogue.ts";
import { formatNumber } from "../../text/format.ts";

const shown = 5;

/** The first users of a file, as they would be created. */
export const UserPreview = ({ entries }: { readonly entries: readonly SourceEntry[] }) => (
  <Section title={t("import.preview")} lead={t("import.preview.count", { count: formatNumber(entries.length) })}>
    <Table
      label={t("import.preview")}
      columns={columns}
      rows={entries.slice(0, shown)}
      rowKey={({ row }) => String(row)}
      empty={null}
    />
  </Section>
);

const columns: readonly Column<SourceEntry>[] = [
  {
    key: "name",
    header: t("user.name"),
    cell: (entry) => {
      if (!("user" in entry)) return <Badge look="bad">{t("job.result.failed")}</Badge>;
      const { givenName, familyName, displayName, username, email } = entry.user;
      const name = `${givenName} ${familyName}`.trim() || displayName;
      return (
        <>
          {name || username || email || "–"}
          {name !== "" && <span className="subtitle">{username || email}</span>}
        </>
      );
    },
  },
  {
    key: "email",
    header: t("user.email"),
    cell: (entry) => ("user" in entry ? entry.user.email || "–" : <bdi lang="en">{entry.problem}</bdi>),
  },
  {
    key: "has",
    header: t("user.tab.signIn"),
    cell: (entry) =>
      "user" in entry ? (
        <span className="badges">
          {has(entry.user).map((word) => (
            <Badge key={word}>{word}</Badge>
          ))}
        </span>
      ) : null,
  },
];

/** What the users bring along to sign in, and whether they may. */
const has = (user: Extract<SourceEntry, { readonly user: unknown }>["user"]): readonly string[] => [
  ...(user.passwordHash === "" ? [] : [t("user.password")]),
  ...(user.totpSecret === "" ? [] : [t("user.factor.totp")]),
  ...user.links.map(({ provider }) => provider),
  ...(user.isDisabled ? [t("user.state.inactive")] : []),
  ...(user.skipReason === "" ? [] : [t("import.skipped")]),
];
