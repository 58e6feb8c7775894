export { asPartner } from "./find-partner.ts";
export { errorResponse, issueResponse } from "./response/issue-response.ts";
