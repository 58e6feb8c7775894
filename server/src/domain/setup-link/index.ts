export { type CreateSetupLinkDeps, createSetupLink } from "./create-setup-link.ts";
export { listSetupLinks } from "./list-setup-links.ts";
export { companionOfStep, loadSetupSession, type SetupSession } from "./load-setup-caller.ts";
export { openSetupLink } from "./open-setup-link.ts";
export { finishSetupLink, revokeSetupLink } from "./revoke-setup-link.ts";
export { deleteLinksOfOrganization, formerSetupLinks, hasProvider } from "./setup-link.store.ts";
export { type SetupLink, SetupLinkEnded, type SetupPart } from "./setup-link.ts";
export { takeSetupStep } from "./take-step.ts";
