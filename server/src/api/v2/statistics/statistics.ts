import { StatisticGranularity, StatisticName as WireName } from "@doorward/api/service/statistics/v2/statistics_pb";
import { StatisticsService } from "@doorward/api/service/statistics/v2/statistics_service_pb";
import type { Database } from "../../../database/index.ts";
import {
  type Granularity,
  listStatistics,
  type StatisticName,
  type StatisticSeries,
} from "../../../domain/statistics/index.ts";
import { type Binding, bind, fromTimestamp, refuseFilter, toTimestamp } from "../../contract/index.ts";

/** StatisticsService. */
export const statisticsMethods = (deps: { readonly database: Database }): Binding =>
  bind(StatisticsService, {
    async listStatistics(call, { organizationId, granularity, startDate, endDate, names }) {
      const series = await listStatistics(deps, call, {
        organizationId: organizationId === "" ? undefined : organizationId,
        granularity: granularities[granularity] ?? refuseFilter("granularity"),
        from: startDate === undefined ? 0 : fromTimestamp(startDate),
        to: endDate === undefined ? call.now + 1 : fromTimestamp(endDate),
        names: names.map((name, index) => namesOfWire.get(name) ?? refuseFilter(`names[${index}]`)),
      });
      return { series: series.map(toMessage) };
    },
  });

const toMessage = ({ name, buckets }: StatisticSeries) => ({
  name: wireNames[name],
  buckets: buckets.map(({ start, amount }) => ({ startDate: toTimestamp(start), count: BigInt(amount) })),
});

const granularities: Readonly<Record<number, Granularity>> = {
  [StatisticGranularity.HOUR]: "hour",
  [StatisticGranularity.DAY]: "day",
  [StatisticGranularity.MONTH]: "month",
};

const wireNames: Readonly<Record<StatisticName, WireName>> = {
  "sign_in.password": WireName.SIGN_IN_PASSWORD,
  "sign_in.passkey": WireName.SIGN_IN_PASSKEY,
  "sign_in.identity_provider": WireName.SIGN_IN_IDENTITY_PROVIDER,
  "sign_in_failure.password": WireName.SIGN_IN_FAILURE_PASSWORD,
  "sign_in_failure.passkey": WireName.SIGN_IN_FAILURE_PASSKEY,
  "sign_in_failure.identity_provider": WireName.SIGN_IN_FAILURE_IDENTITY_PROVIDER,
  "sign_in_failure.second_factor": WireName.SIGN_IN_FAILURE_SECOND_FACTOR,
  active_people: WireName.ACTIVE_PEOPLE,
  "user.registered": WireName.USER_REGISTERED,
  "user.created": WireName.USER_CREATED,
  "user.deleted": WireName.USER_DELETED,
  "token.issued": WireName.TOKEN_ISSUED,
  "token.refreshed": WireName.TOKEN_REFRESHED,
  "token.assertion": WireName.TOKEN_ASSERTION,
  "message.email_sent": WireName.MESSAGE_EMAIL_SENT,
  "message.email_failed": WireName.MESSAGE_EMAIL_FAILED,
  "message.sms_sent": WireName.MESSAGE_SMS_SENT,
  "message.sms_failed": WireName.MESSAGE_SMS_FAILED,
};

const namesOfWire = new Map(
  Object.entries(wireNames).map(([name, wire]): [WireName, StatisticName] => [wire, name as StatisticName]),
);
