export { createLdap, type Ldap, type LdapConnection } from "./create-ldap.ts";
export { parseLdapAddress } from "./ldap-address.ts";
export { LdapError, type LdapFailure } from "./ldap-error.ts";
export { type LdapEntry, resultCodes } from "./ldap-message.ts";
