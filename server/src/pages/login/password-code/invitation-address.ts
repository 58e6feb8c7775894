import type { Href } from "../../../html/index.ts";
import { pathTo } from "../../visit/answer.ts";

export const invitationPath = "/ui/login/invitation";
export const invitationProviderPath = `${invitationPath}/provider`;

/**
 * Returns the page that shows the state of an attempt to accept an invitation: it is correct after reloading, going
 * back or opening it twice.
 */
export const invitationProviderPage = (intent: string): Href => pathTo(invitationProviderPath, { intent });
