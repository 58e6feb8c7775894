import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { useQuery } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { ListEventsResponse } from "@doorward/api/service/admin/v1/event_pb";
import { Badge } from "../../parts/badge.tsx";
import { usePermissions } from "../../shell/access.ts";
import { t } from "../../text/catalogue.ts";

const interval = 4000;

interface FirstSignInProps {
  readonly clientId: string;
  /** When the application was created, by the clock of the server. */
  readonly since: Timestamp;
}

/** Waits for the first user who signs in to an application, by the newest events of tokens that were issued. */
export function FirstSignIn({ clientId, since }: FirstSignInProps) {
  const isSignIn = (answer: ListEventsResponse | undefined): boolean =>
    answer?.events.some(({ payload }) => payload?.["clientId"] === clientId) === true;
  const isAllowed = usePermissions()?.has("events.read") === true;
  const found = useQuery(
    AdminService.method.listEvents,
    {
      limit: 100,
      aggregateTypes: ["token_family"],
      creationDateFilter: { case: "range", value: { since } },
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
