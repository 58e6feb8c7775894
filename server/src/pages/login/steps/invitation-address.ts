import type { Href } from "../../html/index.ts";
import { pathTo } from "../../visit/answer.ts";

export const invitationPath = "/ui/login/invitation";
export const invitationProviderPath = `${invitationPath}/provider`;

/** Where an attempt stands that is to accept an invitation: reloaded, gone back to or opened twice, it is always the truth. */
export const invitationProviderPage = (intent: string): Href => pathTo(invitationProviderPath, { intent });
