import { useQuery } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { ListEventsResponse } from "@doorward/api/service/admin/v1/event_pb";
import { useState } from "react";
import { Badge } from "../../parts/badge.tsx";
import { usePermissions } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";

const interval = 4000;

/** Waits for the first user who signs in to an application, by the events of tokens that were issued to it. */
export function FirstSignIn({ clientId }: { readonly clientId: string }) {
  const [since] = useState(() => ({ seconds: BigInt(Math.floor(Date.now() / 1000)), nanos: 0 }));
  const isSignIn = (answer: ListEventsResponse | undefined): boolean =>
    answer?.events.some(({ payload }) => payload?.["clientId"] === clientId) === true;
  const isAllowed = usePermissions()?.has("events.read") === true;
  const found = useQuery(
    AdminService.method.listEvents,
    {
      limit: 50,
      asc: true,
      aggregateTypes: ["token_family"],
      creationDateFilter: { case: "from", value: since },
    },
    { enabled: isAllowed, refetchInterval: ({ state }) => (isSignIn(state.data) ? false : interval) },
  );
  if (!isAllowed) return null;
  const isSeen = isSignIn(found.data);
  return (
    <p aria-live="polite">
      {isSeen ? (
        <Badge look="good">{t("application.firstSignIn.seen")}</Badge>
      ) : (
        <Badge look="warning">{t("application.firstSignIn.waiting")}</Badge>
      )}
    </p>
  );
}
