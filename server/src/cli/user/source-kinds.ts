/** Kinds of files with users, and what they are. */
export const sourceKinds = {
  keycloak: "realm export or files of users of Keycloak (kc.sh export)",
  auth0: "user export of Auth0, NDJSON or JSON",
  firebase: "JSON of firebase auth:export",
  cognito: "JSON of aws cognito-idp list-users, or CSV with the header of the user pool",
  csv: "CSV of any system, with a header",
} as const;

export type SourceKind = keyof typeof sourceKinds;

/** Fields that a column can have. */
export const csvFields = [
  "id",
  "username",
  "email",
  "emailVerified",
  "phone",
  "phoneVerified",
  "givenName",
  "familyName",
  "displayName",
  "nickName",
  "language",
  "passwordHash",
  "passwordChangeRequired",
  "totpSecret",
  "roles",
  "disabled",
] as const;
export type CsvField = (typeof csvFields)[number];
