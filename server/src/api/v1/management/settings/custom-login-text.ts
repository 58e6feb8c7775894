import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import {
  getCustomLoginText,
  getDefaultLoginText,
  type LoginTranslationDeps,
  resetCustomLoginText,
  setCustomLoginText,
} from "../../../../domain/login-text/index.ts";
import { type Binding, bind } from "../../../contract/index.ts";
import { answer, ofCall, readScreens, show } from "../../common/settings/custom-login-text.ts";

/** ManagementService: texts of the login of the organization of the call. */
export const managementLoginTextMethods = (deps: LoginTranslationDeps): Binding =>
  bind(ManagementService, {
    getDefaultLoginTexts: async (call, { language }) =>
      show(await getDefaultLoginText(deps, call, { isOfOrganization: true, language })),
    getCustomLoginTexts: async (call, { language }) =>
      show(await getCustomLoginText(deps, call, { organizationId: ofCall(call), language })),
    setCustomLoginText: async (call, { language, ...request }) => {
      const scope = { organizationId: ofCall(call), language };
      return answer(await setCustomLoginText(deps, call, { ...scope, screens: readScreens(request) }));
    },
    resetCustomLoginTextToDefault: async (call, { language }) =>
      answer(await resetCustomLoginText(deps, call, { organizationId: ofCall(call), language })),
  });
