export { createBindings } from "./bindings.ts";
export type {
  Binding,
  ContractReference,
  ErrorReference,
  ExampleCall,
  FieldReference,
  Handler,
  MethodDocument,
  MethodReference,
  OtherAnswer,
  OtherCall,
  OtherCalls,
  PerformOther,
  PerformTogether,
  ReferenceLibrary,
  SearchIndex,
  ServiceOutline,
  ServiceReference,
  ServiceSummary,
  Together,
  TypeReference,
  TypesByName,
} from "./contract/index.ts";
export { performJobRow } from "./v2/job/perform-job-row.ts";
export { partOfStep, performSetupStep, type SetupStep } from "./v2/setup-link/perform-setup-step.ts";
