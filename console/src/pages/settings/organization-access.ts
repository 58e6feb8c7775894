import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import { narrow, type SettingsAccess } from "./document.ts";

type Management = Client<typeof ManagementService>;

interface Own {
  readonly read: (client: Management) => Promise<{ policy?: (object & { readonly isDefault: boolean }) | undefined }>;
  readonly add: (client: Management, values: object) => Promise<unknown>;
  readonly update: (client: Management, values: object) => Promise<unknown>;
  readonly reset: (client: Management) => Promise<unknown>;
}

const accesses: Readonly<Record<string, Own>> = {
  login: {
    read: (client) => client.getLoginPolicy({}),
    // Without a list the organization would offer no provider; those of the instance go on being offered.
    add: (client, values) => client.addCustomLoginPolicy(withProviders(values)),
    update: (client, values) => client.updateCustomLoginPolicy(values),
    reset: (client) => client.resetLoginPolicyToDefault({}),
  },
  passwords: {
    read: (client) => client.getPasswordComplexityPolicy({}),
    add: (client, values) => client.addCustomPasswordComplexityPolicy(values),
    update: (client, values) => client.updateCustomPasswordComplexityPolicy(values),
    reset: (client) => client.resetPasswordComplexityPolicyToDefault({}),
  },
  "password-age": {
    read: (client) => client.getPasswordAgePolicy({}),
    add: (client, values) => client.addCustomPasswordAgePolicy(narrow(values)),
    update: (client, values) => client.updateCustomPasswordAgePolicy(narrow(values)),
    reset: (client) => client.resetPasswordAgePolicyToDefault({}),
  },
  lockout: {
    read: (client) => client.getLockoutPolicy({}),
    add: (client, values) => client.addCustomLockoutPolicy(narrow(values)),
    update: (client, values) => client.updateCustomLockoutPolicy(narrow(values)),
    reset: (client) => client.resetLockoutPolicyToDefault({}),
  },
  links: {
    read: (client) => client.getPrivacyPolicy({}),
    add: (client, values) => client.addCustomPrivacyPolicy(values),
    update: (client, values) => client.updateCustomPrivacyPolicy(values),
    reset: (client) => client.resetPrivacyPolicyToDefault({}),
  },
  notices: {
    read: (client) => client.getNotificationPolicy({}),
    add: (client, values) => client.addCustomNotificationPolicy(values),
    update: (client, values) => client.updateCustomNotificationPolicy(values),
    reset: (client) => client.resetNotificationPolicyToDefault({}),
  },
};

/** Returns how a document of an organization is read and written; undefined when it has no such document. */
export function organizationAccess(transport: Transport, path: string): SettingsAccess | undefined {
  const own = accesses[path];
  if (own === undefined) return undefined;
  const client = createClient(ManagementService, transport);
  return {
    read: async () => {
      const { policy } = await own.read(client);
      return { policy, isDefault: policy?.isDefault ?? true };
    },
    write: (values, isDefault) => (isDefault ? own.add(client, values) : own.update(client, values)),
    reset: () => own.reset(client),
    writePermission: "policy.write",
  };
}

function withProviders(values: object): object {
  const { idps = [], ...others } = values as { readonly idps?: readonly { readonly idpId: string }[] };
  return { ...others, idps: idps.map(({ idpId }) => ({ idpId, ownerType: 1 })) };
}
