import type { ServiceName } from "@doorward/api/services";
import type { ServiceForm } from "../form.ts";
import { appForm } from "./app.ts";
import { authorizationForm } from "./authorization.ts";
import { instanceForm } from "./instance.ts";
import { orgForm } from "./org.ts";
import { permissionForm } from "./permission.ts";
import { projectForm } from "./project.ts";

/** Every earlier form of a service. Those without more than `of` differ in nothing but their packages. */
export const serviceForms: Readonly<Partial<Record<ServiceName, ServiceForm>>> = {
  "service.action.v2beta.ActionService": { of: "service.action.v2.ActionService" },
  "service.app.v2beta.AppService": appForm,
  "service.authorization.v2beta.AuthorizationService": authorizationForm,
  "service.feature.v2beta.FeatureService": { of: "service.feature.v2.FeatureService" },
  "service.instance.v2beta.InstanceService": instanceForm,
  "service.internal_permission.v2beta.InternalPermissionService": permissionForm,
  "service.oidc.v2beta.OIDCService": { of: "service.oidc.v2.OIDCService" },
  "service.org.v2beta.OrganizationService": orgForm,
  "service.project.v2beta.ProjectService": projectForm,
  "service.session.v2beta.SessionService": { of: "service.session.v2.SessionService" },
  "service.settings.v2beta.SettingsService": { of: "service.settings.v2.SettingsService" },
  "service.user.v2beta.UserService": { of: "service.user.v2.UserService" },
  "service.webkey.v2beta.WebKeyService": { of: "service.webkey.v2.WebKeyService" },
};
