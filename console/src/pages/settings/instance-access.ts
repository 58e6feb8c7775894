import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { narrow, type SettingsAccess } from "./document.ts";

type Admin = Client<typeof AdminService>;

const readers: Readonly<Record<string, (admin: Admin) => Promise<object | undefined>>> = {
  login: async (admin) => (await admin.getLoginPolicy({})).policy,
  passwords: async (admin) => (await admin.getPasswordComplexityPolicy({})).policy,
  "password-age": async (admin) => (await admin.getPasswordAgePolicy({})).policy,
  lockout: async (admin) => (await admin.getLockoutPolicy({})).policy,
  links: async (admin) => (await admin.getPrivacyPolicy({})).policy,
  notices: async (admin) => (await admin.getNotificationPolicy({})).policy,
  tokens: async (admin) => (await admin.getOIDCSettings({})).settings,
  domains: async (admin) => (await admin.getDomainPolicy({})).policy,
  security: async (admin) => (await admin.getSecurityPolicy({})).policy,
};

const writers: Readonly<Record<string, (admin: Admin, values: object) => Promise<unknown>>> = {
  login: (admin, values) => admin.updateLoginPolicy(values),
  passwords: (admin, values) => admin.updatePasswordComplexityPolicy(narrow(values)),
  "password-age": (admin, values) => admin.updatePasswordAgePolicy(narrow(values)),
  lockout: (admin, values) => admin.updateLockoutPolicy(narrow(values)),
  links: (admin, values) => admin.updatePrivacyPolicy(values),
  notices: (admin, values) => admin.updateNotificationPolicy(values),
  tokens: (admin, values) => admin.updateOIDCSettings(values),
  domains: (admin, values) => admin.updateDomainPolicy(values),
  security: (admin, values) => admin.setSecurityPolicy(values),
};

/** Returns how a document of the instance is read and written; undefined when it has no such document. */
export function instanceAccess(transport: Transport, path: string): SettingsAccess | undefined {
  const [read, write] = [readers[path], writers[path]];
  if (read === undefined || write === undefined) return undefined;
  const admin = createClient(AdminService, transport);
  return {
    read: async () => ({ policy: await read(admin), isDefault: false }),
    write: (values) => write(admin, values),
    writePermission: path === "tokens" ? "iam.write" : "iam.policy.write",
  };
}
