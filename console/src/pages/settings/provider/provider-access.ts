import type { Transport } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import type { IDPLoginPolicyLink } from "@doorward/api/service/idp/v1/idp_pb";
import type { Provider } from "@doorward/api/service/idp/v1/provider_pb";
import { IDPOwnerType } from "@doorward/api/service/idp/v1/query_pb";
import type { LoginPolicy } from "@doorward/api/service/policy/v1/policy_pb";
import { useMemo } from "react";
import { loadAdmin, loadManagement } from "../../../api/first-version.ts";
import { useOrganizationId } from "../../../shell/access.ts";
import { kinds, type ProviderKind } from "./kinds.ts";

interface ProviderList {
  readonly providers: readonly Provider[];
  readonly total: bigint | undefined;
  /** Ids of those that the login offers; undefined for users who may not read the sign-in settings. */
  readonly offered: ReadonlySet<string> | undefined;
}

/** What the sign-in settings of the level say of providers. */
interface SignInSettings {
  /** Otherwise the sign-in page shows none. */
  readonly allowsProviders: boolean;
  /** They are those of the instance, until something of them is changed here. */
  readonly isInherited: boolean;
}

/** The identity providers of a level, and which of them its login offers. */
export interface ProviderAccess {
  readonly list: (offset: number, limit: number) => Promise<ProviderList>;
  readonly read: (id: string) => Promise<Provider | undefined>;
  readonly isOffered: (id: string) => Promise<boolean>;
  readonly readSignIn: () => Promise<SignInSettings>;
  readonly add: (kind: ProviderKind, request: object) => Promise<{ readonly id: string }>;
  readonly update: (kind: ProviderKind, request: object) => Promise<unknown>;
  /** With the `etag` of what the user saw, the user answers for what is activated. */
  readonly setActive: (id: string, isActive: boolean, etag?: string) => Promise<unknown>;
  readonly replaceCertificate: (id: string) => Promise<unknown>;
  readonly remove: (id: string) => Promise<unknown>;
  readonly offer: (provider: Pick<Provider, "id" | "owner">) => Promise<unknown>;
  readonly withdraw: (id: string) => Promise<unknown>;
  /** Permission to write providers. */
  readonly permission: string;
  /** Permission to decide what the login offers. */
  readonly offerPermission: string;
}

/** Returns the providers of the instance, or of the organization that the console is about. */
export function useProviderAccess(): ProviderAccess {
  const transport = useTransport();
  const isInstance = useOrganizationId() === undefined;
  return useMemo(() => accessOf(transport, isInstance), [transport, isInstance]);
}

const stateMethods = {
  instance: { activate: "reactivateIDP", deactivate: "deactivateIDP" },
  organization: { activate: "reactivateOrgIDP", deactivate: "deactivateOrgIDP" },
} as const;

type Call = (request: object) => Promise<unknown>;

const load = async (transport: Transport, isInstance: boolean): Promise<Readonly<Record<string, Call>>> =>
  (isInstance ? await loadAdmin(transport) : await loadManagement(transport)) as unknown as Readonly<
    Record<string, Call>
  >;

const mostOffered = 1000;

function accessOf(transport: Transport, isInstance: boolean): ProviderAccess {
  // Both services declare these methods with messages of one form.
  const call = async <Answer>(name: string, request: object): Promise<Answer> => {
    const method = (await load(transport, isInstance))[name];
    if (method === undefined) throw new Error(name);
    return (await method(request)) as Answer;
  };
  const offered = async (): Promise<ReadonlySet<string>> => {
    const query = { limit: mostOffered };
    const { result } = await call<{ result: IDPLoginPolicyLink[] }>("listLoginPolicyIDPs", { query });
    return new Set(result.map(({ idpId }) => idpId));
  };
  return {
    list: async (offset, limit) => {
      const query = { offset: BigInt(offset), limit, asc: true };
      const [found, ids] = await Promise.all([
        call<{ result: Provider[]; details?: { totalResult: bigint } }>("listProviders", { query }),
        offered().catch(() => undefined),
      ]);
      return { providers: found.result, total: found.details?.totalResult, offered: ids };
    },
    read: async (id) => (await call<{ idp?: Provider }>("getProviderByID", { id })).idp,
    isOffered: async (id) => (await offered()).has(id),
    readSignIn: async () => {
      const { policy } = await call<{ policy?: LoginPolicy }>("getLoginPolicy", {});
      return {
        allowsProviders: policy?.allowExternalIdp === true,
        isInherited: !isInstance && policy?.isDefault === true,
      };
    },
    add: (kind, request) => call(kinds[kind].add, request),
    update: (kind, request) => call(kinds[kind].update, request),
    setActive: (id, isActive, etag = "") => {
      const methods = stateMethods[isInstance ? "instance" : "organization"];
      return call(methods[isActive ? "activate" : "deactivate"], { idpId: id, etag });
    },
    replaceCertificate: (id) => call("regenerateSAMLProviderCertificate", { id }),
    remove: (id) => call("deleteProvider", { id }),
    offer: ({ id, owner }) =>
      call("addIDPToLoginPolicy", {
        idpId: id,
        ...(!isInstance && { ownerType: owner || IDPOwnerType.IDP_OWNER_TYPE_ORG }),
      }),
    withdraw: (idpId) => call("removeIDPFromLoginPolicy", { idpId }),
    permission: isInstance ? "iam.idp.write" : "org.idp.write",
    offerPermission: isInstance ? "iam.policy.write" : "policy.write",
  };
}
