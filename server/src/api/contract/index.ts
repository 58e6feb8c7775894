export { type Binding, bind, type Handler, type Handlers } from "./bind.ts";
export { checkFirst } from "./check-first.ts";
export { defined } from "./defined.ts";
export { toDetails, toListDetails, toListDetailsV1, toObjectDetails, toRemovalDetails } from "./details.ts";
export { refuseFilter, toInstantFilter, toTextMethod } from "./filter.ts";
export { toMetadataFilters, toMetadataFiltersV1, toMetadataMessage, toMetadataMessageV1 } from "./metadata.ts";
export { toPage, toPageV1, toPagination } from "./page.ts";
export type {
  OtherAnswer,
  OtherCall,
  OtherCalls,
  OtherRefusal,
  PerformOther,
  PerformTogether,
  Together,
} from "./perform-other.ts";
export type {
  ContractReference,
  ErrorReference,
  ExampleCall,
  FieldReference,
  MethodDocument,
  MethodReference,
  ReferenceLibrary,
  SearchIndex,
  ServiceOutline,
  ServiceReference,
  ServiceSummary,
  TypeReference,
  TypesByName,
} from "./reference.ts";
export { answerSettings, readSettingsContext } from "./settings-answer.ts";
export { durationInMilliseconds, fromDuration, fromTimestamp, toDuration, toTimestamp } from "./timestamp.ts";
export { withFields } from "./with-fields.ts";
