import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import {
  listApplicationChanges,
  listOrganizationChanges,
  listProjectChanges,
  listProjectGrantChanges,
  listUserChanges,
} from "../../../../domain/event-log/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { answer, type ChangeDeps, toChangePage } from "../../common/change/change.ts";

/** ManagementService: the history of the resources of the organization of the call. */
export const managementChangeMethods = (deps: ChangeDeps): Binding =>
  bind(ManagementService, {
    listUserChanges: async (call, { query, userId }) =>
      answer(deps, call, await listUserChanges(deps, call, { userId, ...toChangePage(query) })),
    listOrgChanges: async (call, { query }) =>
      answer(deps, call, await listOrganizationChanges(deps, call, toChangePage(query))),
    listProjectChanges: async (call, { query, projectId }) =>
      answer(deps, call, await listProjectChanges(deps, call, { projectId, ...toChangePage(query) })),
    listProjectGrantChanges: async (call, { query, projectId, grantId }) =>
      answer(deps, call, await listProjectGrantChanges(deps, call, { projectId, grantId, ...toChangePage(query) })),
    listAppChanges: async (call, { query, projectId, appId }) =>
      answer(
        deps,
        call,
        await listApplicationChanges(deps, call, { projectId, applicationId: appId, ...toChangePage(query) }),
      ),
  });
