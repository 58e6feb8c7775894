import { OIDCService } from "@doorward/api/service/oidc/v2/oidc_service_pb";
import { approveDevice, authorityContext, checkUserOfClient } from "../../../authority/index.ts";
import { Fault } from "../../../base/fault.ts";
import { type Call, type Preparation, requirePermission, withUserAddress } from "../../../call/index.ts";
import type { Client } from "../../../domain/application/index.ts";
import {
  type Approval,
  type DeviceAuthorization,
  decideDeviceAuthorization,
  findDeviceAuthorization,
  findDeviceForLogin,
} from "../../../domain/device-authorization/index.ts";
import { findProject } from "../../../domain/project/index.ts";
import {
  authenticationMethodsOf,
  authTimeOf,
  countingFactors,
  findSessionByToken,
  isCompletelySignedIn,
  preparationsOf,
} from "../../../domain/session/index.ts";
import type { OAuthDeps } from "../../../oauth/index.ts";
import { type Binding, bind } from "../../contract/index.ts";

/**
 * Returns the methods for custom logins: read the device behind a user code, and approve it with a session or deny it.
 */
export const deviceAuthorizationMethods = (deps: OAuthDeps): Binding =>
  bind(OIDCService, {
    async getDeviceAuthorizationRequest(call, { userCode, userAgent }) {
      requirePermission(call, "session.read", {});
      const asked = withUserAddress(call, userAgent?.ip);
      const typed = { typed: userCode, fingerprintId: userAgent?.fingerprintId };
      const entered = await findDeviceForLogin(deps, asked, typed);
      if (entered.outcome === "too_many") throw new Fault("resource_exhausted", "request.too_many");
      if (entered.outcome !== "found") throw notFound("userCode");
      const found = entered.device;
      const client = await findClient(deps, call, found);
      const project = await findProject(deps.database.read, call.instanceId, client.projectId);
      return {
        deviceAuthorizationRequest: {
          id: found.deviceAuthorizationId,
          clientId: found.clientId,
          scope: found.scope.split(" "),
          resources: [...found.resources],
          appName: client.name,
          projectName: project?.name ?? "",
        },
      };
    },

    async authorizeOrDenyDeviceAuthorization(call, { deviceAuthorizationId, decision }) {
      requirePermission(call, "session.link", {});
      const found = await findDeviceAuthorization(deps.database.read, call.instanceId, deviceAuthorizationId);
      if (found === undefined) throw notFound("deviceAuthorizationId");
      switch (decision.case) {
        case "session":
          await approve(deps, call, found, decision.value);
          return {};
        case "deny":
          await deny(deps, call, found);
          return {};
        case undefined:
          throw new Fault("invalid_argument", "field.required", { field: "session" });
        default:
          return decision satisfies never;
      }
    },
  });

async function approve(
  deps: OAuthDeps,
  call: Call,
  device: DeviceAuthorization,
  presented: { readonly sessionId: string; readonly sessionToken: string },
): Promise<void> {
  const client = await findClient(deps, call, device);
  const { organizationId, preparedBy, ...approval } = await approvalOf(deps, call, { device, client, presented });
  const context = await authorityContext(deps, call);
  const given = { device, client, approval, organizationId, preparedBy, browserHash: undefined, shown: undefined };
  requireDecided((await approveDevice({ ...deps, context }, call, given)) === "approved");
}

async function deny(deps: OAuthDeps, call: Call, { deviceAuthorizationId }: DeviceAuthorization): Promise<void> {
  const decision = { deviceAuthorizationId, browserHash: undefined, approval: undefined };
  requireDecided(await deps.database.change(call, (tx) => decideDeviceAuthorization(tx, decision)));
}

function requireDecided(isDecided: boolean): void {
  if (!isDecided) throw new Fault("failed_precondition", "device_authorization.decided_already");
}

async function approvalOf(
  deps: OAuthDeps,
  call: Call,
  {
    device,
    client,
    presented,
  }: {
    readonly device: DeviceAuthorization;
    readonly client: Client;
    readonly presented: { readonly sessionId: string; readonly sessionToken: string };
  },
): Promise<Approval & { readonly organizationId: string; readonly preparedBy: readonly Preparation[] }> {
  const session = await findSessionByToken(deps.database.read, call.instanceId, presented);
  const isExpired = session?.expiresAt !== undefined && session.expiresAt <= call.now;
  const { userId, organizationId, terminatedAt } = session ?? {};
  if (session === undefined || isExpired || terminatedAt !== undefined) throw insufficient();
  if (userId === undefined || organizationId === undefined) throw insufficient();
  if (!(await isCompletelySignedIn(deps, call, session, undefined))) throw insufficient();
  const factors = await countingFactors(deps, call, session, undefined);
  const authTime = authTimeOf({ factors });
  if (authTime === undefined) throw insufficient();
  const use = await checkUserOfClient(deps, call, { client, user: { userId, organizationId }, scope: device.scope });
  if (use !== "allowed") throw new Fault("permission_denied", "device_authorization.access_denied");
  const { sessionId } = session;
  const authenticationMethods = authenticationMethodsOf({ factors });
  return { userId, organizationId, sessionId, authTime, authenticationMethods, preparedBy: preparationsOf(session) };
}

async function findClient(deps: OAuthDeps, call: Call, { clientId }: DeviceAuthorization) {
  const client = await deps.clients.find(call.instanceId, clientId);
  if (client?.isActive !== true) throw new Fault("failed_precondition", "device_authorization.client_inactive");
  return client;
}

const notFound = (field: string): Fault => new Fault("not_found", "device_authorization.not_found", { field });
const insufficient = (): Fault => new Fault("permission_denied", "device_authorization.session_insufficient");
