import { AuthService } from "@doorward/api/service/auth/v1/auth_service_pb";
import { listOwnChanges } from "../../../../domain/event-log/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { answer, type ChangeDeps, toChangePage } from "../../common/change/change.ts";

/** AuthService: the history of the caller's own account. */
export const authChangeMethods = (deps: ChangeDeps): Binding =>
  bind(AuthService, {
    listMyUserChanges: async (call, { query }) =>
      answer(deps, call, await listOwnChanges(deps.database, call, toChangePage(query))),
  });
