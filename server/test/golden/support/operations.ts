/** One listed operation: golden file and call; `$user` stands for an id of the scene, `$last` for the latest id. */
export interface Operation {
  readonly name: string;
  readonly call: readonly [verb: string, path: string, body?: object];
  /** The token that the call uses; the instance owner's when absent. */
  readonly as?: "token";
  /** How much of a result is kept, for results that grow with every new part of the product. */
  readonly first?: number;
}

const page = { query: { offset: "0", limit: 10, asc: true } };
const texts = { title: "Title", preHeader: "Before", subject: "Subject", greeting: "Hello", text: "Text" };
const text = { ...texts, buttonText: "Press", footerText: "Foot" };
const smtpServer = {
  senderAddress: "doorward@mail.example",
  senderName: "Doorward",
  host: "$mailHost",
};
const smtpSettings = { ...smtpServer, description: "new" };

/** Every operation that the interface lists or names, in the order in which they are called. */
export const operations: readonly Operation[] = [
  { name: "usergrants-me-search", call: ["POST", "/auth/v1/usergrants/me/_search", {}], as: "token" },
  { name: "permissions-me-search", call: ["POST", "/auth/v1/permissions/me/_search"], as: "token" },
  { name: "permissions-service-me-search", call: ["POST", "/auth/v1/permissions/service/me/_search"], as: "token" },
  { name: "grant-members-search", call: ["POST", "/projects/$project/grants/$grant/members/_search", page] },
  {
    name: "grant-members-search-query",
    call: [
      "POST",
      "/management/v1/projects/$project/grants/$grant/members/_search",
      { queries: [{ emailQuery: { email: "nobody", method: "TEXT_QUERY_METHOD_CONTAINS" } }] },
    ],
  },
  { name: "project-members-search", call: ["POST", "/management/v1/projects/$project/members/_search", {}] },
  {
    name: "authorizations",
    call: [
      "POST",
      "/service.authorization.v2.AuthorizationService/ListAuthorizations",
      { filters: [{ inUserIds: { ids: ["$user"] } }] },
    ],
  },
  {
    name: "administrators",
    call: [
      "POST",
      "/service.internal_permission.v2.InternalPermissionService/ListAdministrators",
      { filters: [{ inUserIdsFilter: { ids: ["$user"] } }] },
    ],
  },
  { name: "email/search", call: ["POST", "/email/_search", {}] },
  {
    name: "email/smtp-add",
    call: ["POST", "/admin/v1/email/smtp", { ...smtpSettings, plain: { password: "secret" }, user: "login" }],
  },
  { name: "email/smtp-get", call: ["GET", "/admin/v1/email/$last"] },
  { name: "email/smtp-password", call: ["PUT", "/admin/v1/email/smtp/$last/password", { password: "another" }] },
  { name: "email/smtp-update", call: ["PUT", "/admin/v1/email/smtp/$smtp", { ...smtpSettings, none: {} }] },
  {
    name: "email/http-update",
    call: ["PUT", "/admin/v1/email/http/$httpProvider", { endpoint: "https://hooks.example/new" }],
  },
  { name: "email/http-add", call: ["POST", "/admin/v1/email/http", { endpoint: "https://hooks.example/third" }] },
  { name: "email/activate", call: ["POST", "/admin/v1/email/$smtp/_activate", {}] },
  { name: "email/get-active", call: ["GET", "/admin/v1/email"] },
  { name: "email/deactivate", call: ["POST", "/admin/v1/email/$smtp/_deactivate", {}] },
  { name: "smtp-test", call: ["POST", "/smtp/$smtp/_test", { receiverAddress: "me@mail.example" }] },
  {
    name: "email/smtp-by-id-test",
    call: ["POST", "/admin/v1/email/smtp/$smtp/_test", { receiverAddress: "me@mail.example" }],
  },
  {
    name: "email/smtp-test",
    call: ["POST", "/admin/v1/email/smtp/_test", { ...smtpServer, none: {}, receiverAddress: "me@mail.example" }],
  },
  { name: "email/remove", call: ["DELETE", "/admin/v1/email/$httpProvider"] },
  { name: "email/get-removed", call: ["GET", "/admin/v1/email/$httpProvider"] },
  { name: "text/passwordless-custom", call: ["GET", "/text/message/passwordless_registration/en"] },
  {
    name: "text/passwordless-set",
    call: ["PUT", "/admin/v1/text/message/passwordless_registration/en", text],
  },
  { name: "text/passwordless-custom-set", call: ["GET", "/text/message/passwordless_registration/en"] },
  { name: "text/passwordless-default", call: ["GET", "/admin/v1/text/default/message/passwordless_registration/en"] },
  { name: "text/passwordless-reset", call: ["DELETE", "/admin/v1/text/message/passwordless_registration/en"] },
  { name: "text/passwordreset-default", call: ["GET", "/management/v1/text/default/message/passwordreset/en"] },
  { name: "text/passwordreset-deafult", call: ["GET", "/text/deafult/message/passwordreset/de"] },
  { name: "text/passwordreset-custom", call: ["GET", "/text/message/passwordreset/en"] },
  { name: "text/passwordreset-set", call: ["PUT", "/management/v1/text/message/passwordreset/en", text] },
  { name: "text/passwordreset-custom-set", call: ["GET", "/text/message/passwordreset/en"] },
  { name: "text/passwordreset-reset", call: ["DELETE", "/management/v1/text/message/passwordreset/en"] },
  { name: "text/unknown-language", call: ["GET", "/text/message/passwordreset/tlh"] },
  {
    name: "security-settings-set",
    call: [
      "PUT",
      "/v2/policies/security",
      { embeddedIframe: { enabled: true, allowedOrigins: ["https://a.example"] } },
    ],
  },
  { name: "security-settings-set-again", call: ["PUT", "/v2/policies/security", { enableImpersonation: true }] },
  { name: "security-settings-get", call: ["GET", "/v2/settings/security"] },
  {
    name: "security-settings-wrong",
    call: ["PUT", "/v2/policies/security", { embeddedIframe: { enabled: true, allowedOrigins: ["nowhere"] } }],
  },
  {
    name: "security-settings-refused",
    call: ["PUT", "/v2/policies/security", { enableImpersonation: true }],
    as: "token",
  },
  { name: "pats-search", call: ["POST", "/management/v1/users/$machine/pats/_search", {}] },
  {
    name: "pats-search-v2",
    call: ["POST", "/v2/users/pats/search", { filters: [{ userIdFilter: { id: "$machine" } }] }],
  },
  {
    name: "events-search",
    call: ["POST", "/admin/v1/events/_search", { limit: 5, asc: true, aggregateTypes: ["project"] }],
  },
  { name: "event-types-search", call: ["POST", "/admin/v1/events/types/_search", {}], first: 5 },
  { name: "aggregate-types-search", call: ["POST", "/admin/v1/aggregates/types/_search", {}], first: 5 },
  { name: "healthz-auth", call: ["GET", "/auth/v1/healthz"] },
  { name: "healthz-management", call: ["GET", "/management/v1/healthz"] },
  { name: "healthz-admin", call: ["GET", "/admin/v1/healthz"] },
  { name: "healthz-system", call: ["GET", "/system/v1/healthz"] },
];
