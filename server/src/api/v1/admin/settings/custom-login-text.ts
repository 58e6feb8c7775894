import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import {
  getCustomLoginText,
  getDefaultLoginText,
  type LoginTranslationDeps,
  resetCustomLoginText,
  setCustomLoginText,
} from "../../../../domain/login-text/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { answer, readScreens, show } from "../../common/settings/custom-login-text.ts";

/** AdminService: texts of the login of the instance. */
export const adminLoginTextMethods = (deps: LoginTranslationDeps): Binding =>
  bind(AdminService, {
    getDefaultLoginTexts: async (call, { language }) =>
      show(await getDefaultLoginText(deps, call, { isOfOrganization: false, language })),
    getCustomLoginTexts: async (call, { language }) =>
      show(await getCustomLoginText(deps, call, { organizationId: "", language })),
    setCustomLoginText: async (call, { language, ...request }) =>
      answer(await setCustomLoginText(deps, call, { organizationId: "", language, screens: readScreens(request) })),
    resetCustomLoginTextToDefault: async (call, { language }) =>
      answer(await resetCustomLoginText(deps, call, { organizationId: "", language })),
  });
