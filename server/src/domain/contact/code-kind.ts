/** The codes that users get by email or phone; the settings decide how each is generated. */
export type CodeKind = "email_verification" | "phone_verification" | "password_reset" | "initialization" | "invitation";
