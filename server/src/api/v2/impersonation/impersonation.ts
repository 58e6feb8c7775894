import { ImpersonationService } from "@doorward/api/service/impersonation/v2/impersonation_service_pb";
import {
  type CreateImpersonationDeps,
  createImpersonation,
  endImpersonation,
} from "../../../domain/impersonation/index.ts";
import { type Binding, bind, toTimestamp } from "../../contract/index.ts";

/** ImpersonationService. */
export const impersonationMethods = (deps: CreateImpersonationDeps): Binding =>
  bind(ImpersonationService, {
    async createImpersonation(call, { userId, applicationId, reason, lifetimeMinutes: lifetime }) {
      const made = await createImpersonation(deps, call, { userId, applicationId, reason, lifetime });
      const id = made.impersonationId;
      const path = `/ui/login/impersonation?${new URLSearchParams({ id }).toString()}`;
      return { id, path, expirationDate: toTimestamp(made.expiresAt) };
    },
    async endImpersonation(call, { id: impersonationId }) {
      await endImpersonation(deps, call, { impersonationId });
      return {};
    },
  });
