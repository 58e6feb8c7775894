import { largestAvatar, setMyAvatar } from "../../domain/picture/index.ts";
import type { WebRoute } from "../../web/index.ts";
import { authenticateCaller } from "../admit.ts";
import type { RestDeps } from "../rest/answer.ts";
import { formAround, route } from "./file-route.ts";
import { readFile } from "./read-multipart.ts";

export type AvatarRouteDeps = Parameters<typeof setMyAvatar>[0];

/** Creates the upload of the user's own picture, sent as a form. It is served with the pages; a method removes it. */
export const avatarRoute = (deps: RestDeps & AvatarRouteDeps): WebRoute =>
  route(deps, {
    methods: ["POST"],
    path: "/assets/v1/users/me/avatar",
    bodyLimit: largestAvatar + formAround,
    admit: (incoming) => authenticateCaller(deps, incoming, "me:write"),
    answer: async (call, request, form) => {
      const bytes = await readFile(request.header("content-type"), form);
      await setMyAvatar(deps, call, { bytes });
      return { status: 200, headers: { "cache-control": "no-store" } };
    },
  });
