import { AdminService } from "@doorward/api/service/admin/v1/admin_service_pb";
import { ManagementService } from "@doorward/api/service/management/v1/management_service_pb";
import type { Call } from "../../call/index.ts";
import { type Binding, bind, toObjectDetails } from "../../contract/index.ts";
import type { Details } from "../../database/index.ts";
import type { LoginScreens } from "./custom-login-text.ts";
import { getCustomLoginText, getDefaultLoginText, type ShownLoginText } from "./get-custom-login-text.ts";
import type { LoginTranslationDeps } from "./get-login-translation.ts";
import { resetCustomLoginText, setCustomLoginText } from "./set-custom-login-text.ts";

/** Login texts in the first generation of the API: of the instance, and of organizations. */
export const customLoginTextMethods = (deps: LoginTranslationDeps): Binding[] => [
  bind(AdminService, {
    getDefaultLoginTexts: async (call, { language }) =>
      show(await getDefaultLoginText(deps, call, { isOfOrganization: false, language })),
    getCustomLoginTexts: async (call, { language }) =>
      show(await getCustomLoginText(deps, call, { organizationId: "", language })),
    setCustomLoginText: async (call, { language, ...request }) =>
      answer(await setCustomLoginText(deps, call, { organizationId: "", language, screens: readScreens(request) })),
    resetCustomLoginTextToDefault: async (call, { language }) =>
      answer(await resetCustomLoginText(deps, call, { organizationId: "", language })),
  }),
  bind(ManagementService, {
    getDefaultLoginTexts: async (call, { language }) =>
      show(await getDefaultLoginText(deps, call, { isOfOrganization: true, language })),
    getCustomLoginTexts: async (call, { language }) =>
      show(await getCustomLoginText(deps, call, { organizationId: ofCall(call), language })),
    setCustomLoginText: async (call, { language, ...request }) => {
      const place = { organizationId: ofCall(call), language };
      return answer(await setCustomLoginText(deps, call, { ...place, screens: readScreens(request) }));
    },
    resetCustomLoginTextToDefault: async (call, { language }) =>
      answer(await resetCustomLoginText(deps, call, { organizationId: ofCall(call), language })),
  }),
];

const ofCall = ({ organizationId = "" }: Call): string => organizationId;

/** Reads the screens of a request: its members that are messages, and of those the members that are text. */
const readScreens = (request: object): LoginScreens =>
  Object.fromEntries(
    Object.entries(request)
      .filter((entry): entry is [string, object] => typeof entry[1] === "object" && entry[1] !== null)
      .map(([screen, parts]) => [screen, readParts(parts)]),
  );

const readParts = (parts: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parts).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string" && !entry[0].startsWith("$"),
    ),
  );

const show = ({ screens, isDefault, details }: ShownLoginText) => ({
  customText: { ...screens, isDefault, ...(details && { details: toObjectDetails(details) }) },
});

// A call that changed nothing has no details.
const answer = (details: Details | undefined) => (details === undefined ? {} : { details: toObjectDetails(details) });
