/** The page where users ask for a new password. */
export const forgottenPath = "/ui/login/forgotten";
