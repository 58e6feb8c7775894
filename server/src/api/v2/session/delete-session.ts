import { SessionService } from "@doorward/api/service/session/v2/session_service_pb";
import type { Database } from "../../../database/index.ts";
import { deleteSession } from "../../../domain/sign-out/index.ts";
import { type Binding, bind, toDetails } from "../../contract/index.ts";

/** SessionService: ending sessions. */
export const sessionDeletionMethods = (deps: { readonly database: Database }): Binding =>
  bind(SessionService, {
    deleteSession: async (call, { sessionId, sessionToken }) => ({
      details: toDetails(await deleteSession(deps, call, { sessionId, sessionToken })),
    }),
  });
