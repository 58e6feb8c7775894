export { createInvitation, resendInvitation } from "./create-invitation.ts";
export { requestInvitation } from "./request-invitation.ts";
export { resendInitialization, sendInitialization } from "./resend-initialization.ts";
export { verifyInvitation } from "./verify-invitation.ts";
