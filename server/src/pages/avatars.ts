import type { WebRequest, WebRoute } from "../web/index.ts";
import { absentFile, keptForEver } from "./branding.ts";
import type { PageDeps } from "./deps.ts";

/**
 * Serves pictures of users to any caller that has the name of one: applications show them on their own pages. Names
 * cannot be guessed, and a deleted picture is indistinguishable from one that never existed.
 */
export const createAvatarRoute = (deps: Pick<PageDeps, "findSharedAvatar">): WebRoute => ({
  methods: ["GET"],
  path: "/avatars/:file",
  protocol: "plain",
  isOpenToOrigins: true,
  handler: async (request: WebRequest) => {
    const name = request.pathVariables["file"] ?? "";
    if (!/^[\w-]{32}\.(?:png|jpg|webp)$/.test(name)) return absentFile(request);
    const file = await deps.findSharedAvatar(request.call.instanceId, name);
    if (file === undefined) return absentFile(request);
    const headers = keptForEver(request, name);
    if (request.header("if-none-match") === `"${name}"`) return { status: 304, headers };
    return { status: 200, headers: { ...headers, "content-type": file.contentType }, body: file.bytes };
  },
});
