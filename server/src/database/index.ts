export { countUpTo, ofAnyNumber, readerAtLength } from "./at-length.ts";
export {
  deleteBudget,
  findRestoredAt,
  giveBackToBudget,
  restoredBudgets,
  takeFromBudget,
} from "./budget.store.ts";
export { createCache } from "./cache.ts";
export { changeRows } from "./change-of-rows.ts";
export { createCompanion, TrialSucceeded, trial } from "./companion.ts";
export {
  type CommittedEvent,
  type Database,
  DatabaseUnavailable,
  type LongTx,
  type NewEvent,
  type Reader,
  type Tx,
  UniqueViolation,
  type Warn,
} from "./database.ts";
export type { Details } from "./details.ts";
export { noteEnded } from "./ended-rights.ts";
export { deleteEnded, type EndedRows, listEnded } from "./ended-rows.ts";
export { firstSequence, firstSequencesAfter } from "./first-sequence.ts";
export { foldCounts } from "./fold-counts.ts";
export { caselessCandidates, fold, foldedCandidates } from "./folded.ts";
export { type Inspection, inspectDatabase } from "./inspect.ts";
export { joinRow, rowOf } from "./join-row.ts";
export { type Candidates, type ListFilter, orderOf, type Part, picked, planList, type VisibleRows } from "./leading.ts";
export {
  type Beside,
  type InstantMethod,
  instantFilter,
  type List,
  type ListStatement,
  mostOfPage,
  type Page,
  readList,
  readStretch,
  type Stretch,
  type TextMethod,
  textFilter,
} from "./list.ts";
export type { Edge } from "./list-position.ts";
export type { DatabaseLocation } from "./location.ts";
export { MigrationRefused } from "./migrations.ts";
export { type DatabaseOptions, openDatabase, planMigrations } from "./open.ts";
export { deleteAll, holdOrWaitBefore, performAll, performBefore, performPrepared } from "./portions.ts";
export { reachFilter } from "./reach-filter.ts";
export { RememberingReader } from "./remembering-reader.ts";
export { readDetails } from "./row-details.ts";
export { inTurn, rowLock, takeTurn, takeTurns, type Waiting } from "./row-lock.ts";
export { byKey, join, list, rowsTogether, type Sql, type SqlValue, sql, text } from "./sql.ts";
export { DirectoryInUse } from "./sqlite/directory-lock.ts";
export type { Loader } from "./transfer/loader.ts";
export { knownMigrations, openLoader } from "./transfer/open-loader.ts";
export { openSnapshot } from "./transfer/open-snapshot.ts";
export type { Snapshot } from "./transfer/snapshot.ts";
export { readWhole } from "./whole-list.ts";
