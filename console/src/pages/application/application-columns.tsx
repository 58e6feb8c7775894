import type { Application } from "@doorward/api/service/application/v2/application_pb";
import type { Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { t } from "../../text/catalogue.ts";
import { ApplicationBadge } from "./application-badge.tsx";
import { clientIdOf, kindOf } from "./application-facts.ts";

/** What lists show of applications. */
export const applicationColumns: readonly Column<Application>[] = [
  { key: "name", header: t("application.name"), cell: ({ name }) => name },
  { key: "kind", header: t("application.kind"), cell: kindOf },
  { key: "state", header: t("application.state"), cell: (one) => <ApplicationBadge application={one} /> },
  {
    key: "client",
    header: t("application.clientId"),
    cell: (one) => <code>{clientIdOf(one)}</code>,
    isSecondary: true,
  },
  {
    key: "changed",
    header: t("application.changed"),
    cell: ({ changeDate }) => <Time at={changeDate} />,
    isSecondary: true,
  },
];
