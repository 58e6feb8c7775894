export { createAuthenticate } from "./authenticate.ts";
export { createConnectHandler } from "./connect.ts";
export { createFileRoutes } from "./files/routes.ts";
export { createHeavyLists } from "./heavy-lists.ts";
export { createNamespace, type Namespace, namespaceWord } from "./namespace.ts";
export { createReferenceLibrary, type ReferenceLibrary } from "./reference/library.ts";
export type {
  FieldReference,
  MethodReference,
  ServiceReference,
  ServiceSummary,
  TypeReference,
} from "./reference/reference.ts";
export { toFault } from "./refusal.ts";
export { createRegistry, type Method, type Registry } from "./registry.ts";
export { createRestRoutes, restError } from "./rest/routes.ts";
export { rpcError } from "./rpc-error.ts";
export { statusOf } from "./status.ts";
export { createAuthenticateSystemUser, type SystemUser } from "./system-user.ts";
