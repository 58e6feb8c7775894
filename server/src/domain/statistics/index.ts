export { countEvents } from "./count-events.ts";
export { listStatistics, type StatisticSeries } from "./list-statistics.ts";
export {
  deleteActivitiesOfUsers,
  deleteStatisticsOfOrganization,
  expiredActivities,
  formerStatistics,
} from "./statistic.store.ts";
export { type Granularity, keptFor, type StatisticName } from "./statistic.ts";
