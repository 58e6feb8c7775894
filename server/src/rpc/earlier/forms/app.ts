import { type Json, leftOut, listOf, renamed, type ServiceForm } from "../form.ts";

const applicationId = renamed({ id: "applicationId" });
const oidcFields = { appType: "applicationType", devMode: "developmentMode", noneCompliant: "nonCompliant" };
const oidc = renamed(oidcFields);

// Numbers of ApplicationType.
const types = { oidcAppOnly: 1, apiAppOnly: 2, samlAppOnly: 3 } as const;

/** Version 2 has one filter for all types. */
function toTypeFilter(filter: Json): Json {
  const [name] = Object.keys(filter);
  return name !== undefined && name in types ? { typeFilter: types[name as keyof typeof types] } : filter;
}

/** What a list is about is a field here, and a filter in version 2. */
const filterBy = (name: string, request: Json): Json => ({ [`${name}Filter`]: { [name]: request[name] ?? "" } });

function toFilters({ projectId, ...request }: Json): Json {
  return { ...request, filters: [filterBy("projectId", { projectId }), ...listOf(request, "filters")] };
}

function toKeyFilters({ applicationId: id, projectId, organizationId, ...request }: Json): Json {
  const given = Object.entries({ applicationId: id, projectId, organizationId }).filter(([, value]) => value);
  return { ...request, filters: given.map(([name, value]) => filterBy(name, { [name]: value })) };
}

/** Version 2 shows the address and what was read there; here it is one of them. */
function toMetadata({ metadataXml, metadataUrl, ...configuration }: Json): Json {
  const isRead = metadataUrl !== undefined && metadataUrl !== "";
  return { ...configuration, ...(isRead ? { metadataUrl } : { metadataXml }) };
}

/** Applications. */
export const appForm: ServiceForm = {
  of: "service.application.v2.ApplicationService",
  methods: { RegenerateClientSecret: "GenerateClientSecret" },
  messages: {
    "app.v2beta.CreateApplicationRequest": renamed({
      id: "applicationId",
      oidcRequest: "oidcConfiguration",
      samlRequest: "samlConfiguration",
      apiRequest: "apiConfiguration",
    }),
    "app.v2beta.CreateApplicationResponse": renamed({
      appId: "applicationId",
      oidcResponse: "oidcConfiguration",
      samlResponse: "samlConfiguration",
      apiResponse: "apiConfiguration",
    }),
    "app.v2beta.CreateOIDCApplicationRequest": oidc,
    "app.v2beta.CreateOIDCApplicationResponse": oidc,
    "app.v2beta.UpdateApplicationRequest": renamed({
      id: "applicationId",
      oidcConfigurationRequest: "oidcConfiguration",
      samlConfigurationRequest: "samlConfiguration",
      apiConfigurationRequest: "apiConfiguration",
    }),
    "app.v2beta.UpdateOIDCApplicationConfigurationRequest": oidc,
    "app.v2beta.GetApplicationRequest": applicationId,
    "app.v2beta.GetApplicationResponse": renamed({ app: "application" }),
    "app.v2beta.DeleteApplicationRequest": applicationId,
    "app.v2beta.DeactivateApplicationRequest": applicationId,
    "app.v2beta.ReactivateApplicationRequest": applicationId,
    // The application itself says of which type it is.
    "app.v2beta.RegenerateClientSecretRequest": renamed({ isOidc: leftOut, isApi: leftOut }),
    "app.v2beta.ListApplicationsRequest": { toCurrent: toFilters },
    "app.v2beta.ApplicationSearchFilter": { toCurrent: toTypeFilter },
    "app.v2beta.Application": renamed({
      id: "applicationId",
      oidcConfig: "oidcConfiguration",
      apiConfig: "apiConfiguration",
      samlConfig: "samlConfiguration",
    }),
    "app.v2beta.OIDCConfig": oidc,
    "app.v2beta.SAMLConfig": { fromCurrent: toMetadata },
    "app.v2beta.CreateApplicationKeyRequest": renamed({ appId: "applicationId" }),
    "app.v2beta.CreateApplicationKeyResponse": renamed({ id: "keyId" }),
    "app.v2beta.DeleteApplicationKeyRequest": renamed({ id: "keyId", organizationId: leftOut }),
    // The id of a key names it alone.
    "app.v2beta.GetApplicationKeyRequest": renamed({
      id: "keyId",
      projectId: leftOut,
      applicationId: leftOut,
      organizationId: leftOut,
    }),
    "app.v2beta.GetApplicationKeyResponse": renamed({ id: "keyId" }),
    "app.v2beta.ListApplicationKeysRequest": { toCurrent: toKeyFilters },
    "app.v2beta.ApplicationKey": renamed({ id: "keyId" }),
  },
};
