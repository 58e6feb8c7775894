import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import { SessionState } from "@doorward/api/service/user/v1/session_pb";
import type { Database } from "../../../../database/index.ts";
import type { OriginOf } from "../../../../domain/instance/index.ts";
import { urlOfAvatar } from "../../../../domain/picture/index.ts";
import { listOwnSessions } from "../../../../domain/session/index.ts";
import { type Binding, bind, toObjectDetails } from "../../../contract/index.ts";

/** AuthService: the caller's sessions. */
export const authSessionMethods = (deps: { readonly database: Database; readonly originOf: OriginOf }): Binding =>
  bind(AuthService, {
    async listMyUserSessions(call) {
      const sessions = await listOwnSessions(deps, call);
      const origin = await deps.originOf(call.instanceId);
      return {
        result: sessions.map(({ session, loginName, displayName, avatarFile }) => ({
          sessionId: session.sessionId,
          agentId: session.userAgent.fingerprintId ?? "",
          authState: SessionState.ACTIVE,
          userId: session.userId ?? "",
          userName: loginName,
          loginName,
          displayName,
          avatarUrl: urlOfAvatar(origin, avatarFile),
          details: toObjectDetails(session.details),
        })),
      };
    },
  });
