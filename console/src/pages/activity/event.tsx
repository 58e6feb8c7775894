import { useQuery } from "@connectrpc/connect-query";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import type { Event } from "@doorward/api/service/event/v1/event_pb";
import { Link } from "@tanstack/react-router";
import { linkTo, useAddress } from "../../address.ts";
import { Copyable } from "../../parts/copyable.tsx";
import { ErrorNotice, Notice } from "../../parts/notice.tsx";
import { Facts, Page, Section } from "../../parts/page.tsx";
import { t } from "../../text/catalogue.ts";
import { formatExactly, toDate } from "../../text/format.ts";
import { EventActor, EventThing } from "./event-cells.tsx";
import { EventFields } from "./event-fields.tsx";
import { useUserNames } from "./use-user-names.ts";

/** One event: who, what, when, where from, and which fields it changed. The address is permanent. */
export function EventPage() {
  const { kind = "", id = "", sequence = "" } = useAddress().search;
  const number = /^\d{1,15}$/.test(sequence) ? BigInt(sequence) : 0n;
  const found = useQuery(AdminService.method.listEvents, {
    aggregateTypes: [kind],
    aggregateId: id,
    sequence: number > 0n ? number - 1n : 0n,
    asc: true,
    limit: 1,
  });
  const event = found.data?.events.find((each) => each.sequence === number);
  const parent = { to: "/activity", label: t("nav.activity") };
  if (event === undefined) {
    return (
      <Page title={t("activity.event")} parent={parent}>
        {found.isError && <ErrorNotice error={found.error} />}
        {found.isSuccess && <Notice>{t("activity.absent")}</Notice>}
        {found.isPending && <span className="skeleton" />}
      </Page>
    );
  }
  return (
    <Page title={event.type?.localized?.localizedMessage || (event.type?.type ?? "")} parent={parent}>
      <Section title={t("activity.about")}>
        <EventFacts of={event} />
        <p className="links">
          <Link {...linkTo(`/activity?${new URLSearchParams({ kind, id }).toString()}`)}>{t("activity.ofRecord")}</Link>
          {event.editor?.userId && (
            <Link {...linkTo(`/activity?who=${event.editor.userId}`)}>{t("activity.ofActor")}</Link>
          )}
        </p>
      </Section>
      <Section title={t("activity.fields")}>
        <EventFields of={event} />
      </Section>
    </Page>
  );
}

function EventFacts({ of: event }: { readonly of: Event }) {
  const { aggregate, creationDate, editor, source, type } = event;
  const names = useUserNames([event]);
  const date = toDate(creationDate);
  return (
    <Facts
      facts={[
        [t("activity.when"), date && formatExactly(date)],
        [t("activity.who"), <EventActor key="who" of={event} />],
        [t("activity.thing"), <EventThing key="thing" of={event} names={names} />],
        [t("activity.from"), source],
        [t("activity.client"), editor?.service],
        [t("activity.id"), <Copyable key="id" value={aggregate?.id ?? ""} label={t("activity.id")} />],
        [
          t("activity.owner"),
          <Copyable key="owner" value={aggregate?.resourceOwner ?? ""} label={t("activity.owner")} />,
        ],
        [t("activity.type"), <code key="type">{type?.type}</code>],
      ]}
    />
  );
}
