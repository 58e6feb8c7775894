/** The codes that people get by mail or phone; the settings say how each is made. */
export type CodeKind = "email_verification" | "phone_verification" | "password_reset" | "initialization" | "invitation";
