import { createClient, type Transport } from "@connectrpc/connect";

// Each service names the messages of all pages that use it, so it is loaded when it is asked.

/** Returns the service of version 1 for the instance. */
export const loadAdmin = async (transport: Transport) =>
  createClient((await import("@doorward/api/service/admin/v1/admin_service_pb")).AdminService, transport);

/** Returns the service of version 1 for an organization. */
export const loadManagement = async (transport: Transport) =>
  createClient(
    (await import("@doorward/api/service/management/v1/management_service_pb")).ManagementService,
    transport,
  );
