import type { Call } from "../../call/index.ts";
import { type BrandingFile, getBrandingAsset, largestPicture, setBrandingAsset } from "../../domain/branding/index.ts";
import type { BrandingAssetSlot, GetSettingsDeps } from "../../domain/settings/index.ts";
import { assetHeaders, type WebRequest, type WebResponse, type WebRoute } from "../../web/index.ts";
import { admitTo, type IncomingCall } from "../admit.ts";
import type { RestDeps } from "../rest/answer.ts";
import { type AvatarRouteDeps, avatarRoute } from "./avatar-route.ts";
import { formAround, route } from "./file-route.ts";
import { readFile } from "./read-multipart.ts";

/** Creates the routes for files, which the contract leaves to plain HTTP, because files are not messages. */
export const createFileRoutes = (deps: RestDeps & GetSettingsDeps & AvatarRouteDeps): WebRoute[] => [
  ...brandingRoutes(deps),
  avatarRoute(deps),
];

/**
 * Creates the routes for pictures and fonts of a branding. They are uploaded as a form into the draft, and are readable
 * here with the permission to read the settings. All other readers use the public routes of the pages.
 */
function brandingRoutes(deps: RestDeps & GetSettingsDeps): WebRoute[] {
  return owners.flatMap(({ path, permission, organizationOf }) =>
    slots.flatMap(([ending, slot]): WebRoute[] => {
      const at = `/assets/v1/${path}/policy/label/${ending}`;
      const admit = (right: "read" | "write") => (incoming: IncomingCall) =>
        admitTo(deps, `${permission}.${right}`, incoming);
      const read = (isPreview: boolean) => async (call: Call, request: WebRequest) => {
        const file = await getBrandingAsset(deps, call, { organizationId: organizationOf(call), slot, isPreview });
        return answerWithFile(request, file);
      };
      const write = async (call: Call, request: WebRequest, form: Uint8Array): Promise<WebResponse> => {
        const bytes = await readFile(request.header("content-type"), form);
        await setBrandingAsset(deps, call, { organizationId: organizationOf(call), slot, bytes });
        return { status: 200, headers: { "cache-control": "no-store" } };
      };
      return [
        route(deps, { methods: ["GET"], path: at, admit: admit("read"), answer: read(false) }),
        route(deps, { methods: ["GET"], path: `${at}/_preview`, admit: admit("read"), answer: read(true) }),
        route(deps, { methods: ["POST"], path: at, admit: admit("write"), answer: write, bodyLimit }),
      ];
    }),
  );
}

const bodyLimit = largestPicture + formAround;

const owners = [
  { path: "instance", permission: "iam.policy", organizationOf: () => "" },
  { path: "org", permission: "policy", organizationOf: ({ organizationId = "" }: Call) => organizationId },
] as const;

const slots: readonly (readonly [ending: string, slot: BrandingAssetSlot])[] = [
  ["logo", "logo"],
  ["logo/dark", "logoDark"],
  ["icon", "icon"],
  ["icon/dark", "iconDark"],
  ["font", "font"],
];

const answerWithFile = (request: WebRequest, { contentType, bytes }: BrandingFile): WebResponse => ({
  status: 200,
  headers: {
    ...assetHeaders(request.instance.origin.startsWith("https:")),
    "content-type": contentType,
    "cache-control": "private, no-store",
  },
  body: bytes,
});
