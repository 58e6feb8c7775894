import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { AddInstanceRequest, CreateInstanceRequest } from "@doorward/api/service/system/v1/instance_pb";
import { SystemService } from "@doorward/api/service/system/v1/system_service_pb";
import { Fault } from "../../../../base/fault.ts";
import { type Language, matchLanguage } from "../../../../base/language.ts";
import {
  type CreateInstance,
  type CreateInstanceDeps,
  createInstanceWithOwner,
} from "../../../../domain/setup/index.ts";
import { type Binding, bind, fromTimestamp, toObjectDetails } from "../../../contract/index.ts";

/** Methods of the System API that create instances. */
export const systemSetupMethods = (deps: CreateInstanceDeps): Binding =>
  bind(SystemService, {
    async createInstance(call, request) {
      const made = await createInstanceWithOwner(deps, call, { ...toCommon(request), ...toOwner(request) });
      const [machine] = made.machines;
      const pat = machine?.token?.token.reveal() ?? "";
      const machineKey = Buffer.from(machine?.key?.keyFile?.reveal() ?? "");
      return { instanceId: made.instanceId, details: toObjectDetails(made.details), pat, machineKey };
    },
    async addInstance(call, request) {
      const { ownerUserName, ownerEmail, ownerProfile, ownerPassword } = request;
      const owner = toHuman({
        userName: ownerUserName,
        email: ownerEmail,
        profile: ownerProfile,
        password: ownerPassword,
      });
      const made = await createInstanceWithOwner(deps, call, { ...toCommon(request), owner });
      return { instanceId: made.instanceId, details: toObjectDetails(made.details) };
    },
  });

function toCommon(request: CreateInstanceRequest | AddInstanceRequest): Omit<CreateInstance, "owner" | "machine"> {
  const { instanceName, firstOrgName, customDomain, defaultLanguage } = request;
  return {
    name: instanceName,
    defaultLanguage: toLanguage(defaultLanguage),
    ...(firstOrgName !== "" && { organizationName: firstOrgName }),
    ...(customDomain !== "" && { customDomain }),
  };
}

function toLanguage(tag: string): Language {
  if (tag === "") return "en";
  const language = matchLanguage(tag);
  if (language === undefined) {
    throw new Fault("invalid_argument", "settings.language_unsupported", { field: "defaultLanguage" });
  }
  return language;
}

function toOwner({ owner }: CreateInstanceRequest): Pick<CreateInstance, "owner" | "machine"> {
  switch (owner.case) {
    case "human":
      return { owner: toHuman(owner.value) };
    case "machine": {
      const { userName, name, personalAccessToken, machineKey } = owner.value;
      const token = personalAccessToken && toExpiry(personalAccessToken);
      const key = machineKey && toExpiry(machineKey);
      return { machine: { username: userName, name: name || userName, role: "IAM_OWNER", token, key } };
    }
    case undefined:
      throw new Fault("invalid_argument", "setup.owner_missing", { field: "owner" });
    default:
      return owner satisfies never;
  }
}

const toExpiry = ({ expirationDate }: { readonly expirationDate?: Timestamp | undefined }) => ({
  expiresAt: expirationDate && fromTimestamp(expirationDate),
});

interface HumanMessage {
  readonly userName: string;
  readonly email?: { readonly email: string; readonly isEmailVerified: boolean } | undefined;
  readonly profile?:
    | { readonly firstName: string; readonly lastName: string; readonly preferredLanguage: string }
    | undefined;
  readonly password?: { readonly password: string; readonly passwordChangeRequired: boolean } | undefined;
}

function toHuman({ userName, email, profile, password }: HumanMessage): NonNullable<CreateInstance["owner"]> {
  const username = userName || email?.email || "";
  return {
    username,
    email: { address: email?.email ?? "", isVerified: email?.isEmailVerified ?? false },
    profile: {
      givenName: profile?.firstName || username,
      familyName: profile?.lastName || "Administrator",
      ...(profile?.preferredLanguage && { preferredLanguage: profile.preferredLanguage }),
    },
    ...(password &&
      password.password !== "" && {
        password: { password: password.password, isChangeRequired: password.passwordChangeRequired },
      }),
  };
}
