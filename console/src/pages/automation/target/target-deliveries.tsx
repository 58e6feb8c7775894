import { useQuery } from "@connectrpc/connect-query";
import { ActionService } from "@doorward/api/service/action/v2/action_service_pb";
import { type Delivery, DeliveryState } from "@doorward/api/service/action/v2/delivery_pb";
import { keepPreviousData } from "@tanstack/react-query";
import { useAddress } from "../../../address.ts";
import { Badge } from "../../../parts/badge.tsx";
import { Button } from "../../../parts/button.tsx";
import { FilterChoice, Filters } from "../../../parts/filter-bar.tsx";
import { Empty } from "../../../parts/page.tsx";
import { type Column, pageSize, Table } from "../../../parts/table.tsx";
import { Time } from "../../../parts/time.tsx";
import { t } from "../../../text/catalogue.ts";
import { failureText } from "../../../text/failure-text.ts";
import { subjectText } from "../execution/condition.ts";
import { deliveryWord } from "../words.ts";
import { TargetFrame } from "./target-frame.tsx";

const StateCell = ({ delivery }: { readonly delivery: Delivery }) => {
  const { text, look } = deliveryWord(delivery);
  return (
    <>
      <Badge look={look}>{text}</Badge>
      {delivery.failure !== "" && <span className="subtitle">{failureText(delivery.failure)}</span>}
    </>
  );
};

const columns: readonly Column<Delivery>[] = [
  { key: "what", header: t("automation.delivery.what"), cell: ({ subject }) => subjectText(subject) },
  { key: "state", header: t("automation.state"), cell: (one) => <StateCell delivery={one} /> },
  { key: "attempts", header: t("automation.delivery.attempts"), cell: ({ attempts }) => attempts, isSecondary: true },
  { key: "when", header: t("automation.delivery.queued"), cell: ({ creationDate }) => <Time at={creationDate} /> },
  {
    key: "next",
    header: t("automation.delivery.next"),
    cell: ({ nextAttemptDate, settlementDate }) =>
      nextAttemptDate ? <Time at={nextAttemptDate} /> : <Time at={settlementDate} />,
    isSecondary: true,
  },
];

/** What was sent to a target without waiting, and what still waits. */
export const TargetDeliveriesPage = () => <TargetFrame>{({ id }) => <Deliveries targetId={id} />}</TargetFrame>;

function Deliveries({ targetId }: { readonly targetId: string }) {
  const { search, page, setSearch, setPage } = useAddress();
  const state = search["state"] ?? "";
  const found = useQuery(
    ActionService.method.listDeliveries,
    {
      targetId,
      pagination: { offset: BigInt(page * pageSize), limit: pageSize },
      ...(state !== "" && { state: Number(state) as DeliveryState }),
    },
    { placeholderData: keepPreviousData },
  );
  return (
    <>
      <p className="muted">{t("automation.deliveries.lead")}</p>
      <Filters>
        <FilterChoice
          label={t("automation.state")}
          value={state}
          options={[
            [String(DeliveryState.PENDING), t("automation.delivery.pending")],
            [String(DeliveryState.DELIVERED), t("automation.delivery.delivered")],
            [String(DeliveryState.FAILED), t("automation.delivery.failed")],
          ]}
          onChange={(value) => setSearch({ state: value })}
        />
        <Button isBusy={found.isFetching} onClick={() => void found.refetch()}>
          {t("automation.refresh")}
        </Button>
      </Filters>
      <Table
        label={t("automation.deliveries")}
        columns={columns}
        rows={found.data?.deliveries}
        rowKey={({ number }) => String(number)}
        error={found.error}
        isLoading={found.isFetching}
        empty={<Empty>{state === "" ? t("automation.deliveries.none") : t("automation.noneFound")}</Empty>}
        paging={{ page, pageSize, total: found.data?.pagination?.totalResult, onPage: setPage }}
      />
    </>
  );
}
