export { type AuthenticateDeps, createAuthenticate } from "./authenticate.ts";
export { type ConnectHandler, createConnectHandler } from "./connect.ts";
export type { ConnectDeps } from "./connect-exchange.ts";
export { createFileRoutes } from "./files/routes.ts";
export type { InvokeDeps } from "./invoke.ts";
export { createNamespace, type Namespace, namespaceWord } from "./namespace.ts";
export type { Credentials, PresentedToken } from "./presented-token.ts";
export { createReferenceLibrary, type Reference, type ReferenceLibrary } from "./reference/library.ts";
export type {
  FieldReference,
  MethodReference,
  ServiceReference,
  ServiceSummary,
  TypeReference,
} from "./reference/reference.ts";
export { type Refusal, type RefusalDeps, toFault, toRefusal } from "./refusal.ts";
export { createRegistry, type Method, type Registry } from "./registry.ts";
export { createRestRoutes, type RestDeps, restError } from "./rest/routes.ts";
export { type RpcError, rpcError } from "./rpc-error.ts";
export { statusOf } from "./status.ts";
export { createAuthenticateSystemUser, type SystemUser } from "./system-user.ts";
