import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { ApplicationService } from "@doorward/api/service/application/v2/application_service_pb";
import type {
  OIDCConfiguration,
  UpdateOIDCApplicationConfigurationRequestSchema,
} from "@doorward/api/service/application/v2/oidc_pb";
import { useQueryClient } from "@tanstack/react-query";

/** What a form about a part of an OpenID Connect application gets. */
export interface OidcFormProps {
  readonly named: { readonly applicationId: string; readonly projectId: string };
  readonly configuration: OIDCConfiguration;
}

type Changes = Omit<MessageInitShape<typeof UpdateOIDCApplicationConfigurationRequestSchema>, "$typeName">;

/**
 * Returns how fields of the configuration are changed; those that are left out stay. With the `etag` of what is shown,
 * the change is refused once the application is another.
 */
export function useUpdateOidc(named: OidcFormProps["named"]): (changes: Changes, etag?: string) => Promise<void> {
  const client = createClient(ApplicationService, useTransport());
  const queries = useQueryClient();
  return async (changes, etag) => {
    await client.updateApplication({
      ...named,
      ...(etag !== undefined && { etag }),
      applicationType: { case: "oidcConfiguration", value: changes },
    });
    await queries.invalidateQueries();
  };
}
