import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { useQuery } from "@connectrpc/connect-query";
import {
  StatisticGranularity,
  StatisticName,
  type StatisticSeries,
} from "@doorward/api/service/statistics/v2/statistics_pb";
import { StatisticsService } from "@doorward/api/service/statistics/v2/statistics_service_pb";
import { keepPreviousData } from "@tanstack/react-query";
import { useMemo } from "react";
import { useAddress } from "../../address.ts";
import { Chart, type ChartSeries } from "../../parts/chart.tsx";
import { ChoiceBar } from "../../parts/choice-bar.tsx";
import { ErrorNotice } from "../../parts/notice.tsx";
import { Section } from "../../parts/page.tsx";
import { useOrganizationId } from "../../shell/access.ts";
import { type TextKey, t } from "../../text/catalogue.ts";
import { formatBucket } from "../../text/format.ts";

const hour = 3_600_000;

/** What can be chosen to be shown, by its name in the address. */
const ranges = {
  "24h": { granularity: StatisticGranularity.HOUR, since: (now: number) => now - 23 * hour },
  "30d": { granularity: StatisticGranularity.DAY, since: (now: number) => now - 29 * 24 * hour },
  "12m": { granularity: StatisticGranularity.MONTH, since: elevenMonthsBefore },
} as const;

type Range = keyof typeof ranges;

function elevenMonthsBefore(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 11);
}

interface ChartPlan {
  readonly title: TextKey;
  readonly series: readonly {
    readonly label: TextKey;
    readonly color: ChartSeries["color"];
    readonly names: readonly StatisticName[];
  }[];
  /** The number beside the title: usually that of the whole range. */
  readonly figure?: "last";
}

const charts: readonly ChartPlan[] = [
  {
    title: "usage.signIns",
    series: [
      { label: "attempt.check.password", color: 1, names: [StatisticName.SIGN_IN_PASSWORD] },
      { label: "attempt.check.passkey", color: 2, names: [StatisticName.SIGN_IN_PASSKEY] },
      { label: "attempt.check.provider", color: 3, names: [StatisticName.SIGN_IN_IDENTITY_PROVIDER] },
    ],
  },
  {
    title: "usage.failures",
    series: [
      { label: "attempt.check.password", color: 1, names: [StatisticName.SIGN_IN_FAILURE_PASSWORD] },
      { label: "attempt.check.passkey", color: 2, names: [StatisticName.SIGN_IN_FAILURE_PASSKEY] },
      { label: "attempt.check.provider", color: 3, names: [StatisticName.SIGN_IN_FAILURE_IDENTITY_PROVIDER] },
      { label: "attempt.check.secondFactor", color: "failed", names: [StatisticName.SIGN_IN_FAILURE_SECOND_FACTOR] },
    ],
  },
  // People of several days cannot be added up, so the number is that of today or of this month.
  {
    title: "usage.people",
    series: [{ label: "usage.people", color: 1, names: [StatisticName.ACTIVE_PEOPLE] }],
    figure: "last",
  },
  {
    title: "usage.accounts",
    series: [
      { label: "usage.accounts.registered", color: 1, names: [StatisticName.USER_REGISTERED] },
      { label: "usage.accounts.created", color: 2, names: [StatisticName.USER_CREATED] },
    ],
  },
  {
    title: "usage.tokens",
    series: [
      { label: "usage.tokens.issued", color: 1, names: [StatisticName.TOKEN_ISSUED] },
      { label: "usage.tokens.refreshed", color: 2, names: [StatisticName.TOKEN_REFRESHED] },
      { label: "usage.tokens.assertion", color: 3, names: [StatisticName.TOKEN_ASSERTION] },
    ],
  },
  {
    title: "usage.messages",
    series: [
      { label: "usage.messages.email", color: 1, names: [StatisticName.MESSAGE_EMAIL_SENT] },
      { label: "usage.messages.sms", color: 2, names: [StatisticName.MESSAGE_SMS_SENT] },
      {
        label: "usage.messages.failed",
        color: "failed",
        names: [StatisticName.MESSAGE_EMAIL_FAILED, StatisticName.MESSAGE_SMS_FAILED],
      },
    ],
  },
];

/** How much happened over time, in the instance or the organization of the address. A component of each of them. */
export function Usage() {
  const { search, setSearch } = useAddress();
  const organizationId = useOrganizationId() ?? "";
  const wanted = search["range"] ?? "";
  const range = Object.hasOwn(ranges, wanted) ? (wanted as Range) : "30d";
  const { granularity, since } = ranges[range];
  const startDate = useMemo(() => timestampFromMs(since(Date.now())), [since]);
  const { data, error, isFetching } = useQuery(
    StatisticsService.method.listStatistics,
    { organizationId, granularity, startDate },
    // Charts stay until those of another range are there.
    { refetchInterval: 60_000, placeholderData: keepPreviousData },
  );
  return (
    <Section
      title={t("usage.title")}
      actions={
        <ChoiceBar
          label={t("usage.range")}
          value={range}
          options={[
            ["24h", t("usage.range.24h")],
            ["30d", t("usage.range.30d")],
            ["12m", t("usage.range.12m")],
          ]}
          onChange={(next) => setSearch({ range: next === "30d" ? "" : next })}
        />
      }
    >
      {error ? (
        <ErrorNotice error={error} />
      ) : (
        <div className="charts" aria-busy={isFetching}>
          {charts.map((plan) => (
            <PlannedChart key={plan.title} plan={plan} series={data?.series ?? []} />
          ))}
        </div>
      )}
    </Section>
  );
}

function PlannedChart({ plan, series }: { readonly plan: ChartPlan; readonly series: readonly StatisticSeries[] }) {
  const bucketsOf = (name: StatisticName) => series.find((each) => each.name === name)?.buckets ?? [];
  const [first] = plan.series.flatMap(({ names }) => names).map(bucketsOf);
  // Active people are not counted by hour.
  if (first === undefined || first.length === 0) return null;
  const shown = plan.series.map(({ label, color, names }) => ({
    key: label,
    label: t(label),
    color,
    counts: first.map((_, index) => names.reduce((sum, name) => sum + Number(bucketsOf(name)[index]?.count ?? 0n), 0)),
  }));
  const sums = first.map((_, index) => shown.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0));
  const starts = first.map(({ startDate }) => (startDate === undefined ? 0 : timestampMs(startDate)));
  const buckets = starts.map((start) => formatBucket(start, unitOf(starts)));
  const figure =
    plan.figure === "last"
      ? { count: sums.at(-1) ?? 0, of: buckets.at(-1)?.short }
      : { count: sums.reduce((sum, count) => sum + count, 0) };
  return <Chart title={t(plan.title)} figure={figure} series={shown} buckets={buckets} />;
}

function unitOf([first = 0, second = first]: readonly number[]): "hour" | "day" | "month" {
  const length = second - first;
  return length <= hour ? "hour" : length <= 24 * hour ? "day" : "month";
}
