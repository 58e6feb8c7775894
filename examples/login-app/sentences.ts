/** What people are told, by the slug of a refusal or a word of ours. */
const sentences: Readonly<Record<string, string>> = {
  credentials_wrong: "The login name or the password is wrong.",
  passkey_refused: "That passkey was not accepted. Try again, or go on with your password.",
  key_refused: "That key was not accepted. Try again, or choose another way.",
  other_account: "The application expects another account. Sign in with that one.",
  passwords_not_allowed: "Passwords and passkeys are not allowed here.",
  second_factor_unusable: "Your second factor cannot be used here. Please ask your administrator.",
  second_factor_none: "You need a second factor that cannot be set up here. Please ask your administrator.",
  external_failed: "The other service did not sign you in.",
  external_unknown: "That account is not linked to a user here. Sign in as usual.",
  register_failed: "No account can be made with this address. Perhaps you have one already.",
  "factor.code_wrong": "The code is wrong, or it has been used.",
  "factor.challenge_absent": "The code is too old. Ask for another one.",
  "user.password_wrong": "The present password is wrong.",
  "user.password_code_wrong": "The code is wrong or too old. Ask for another one.",
};

/**
 * A sentence for a slug. What has none of its own was refused with a sentence of the server, which is kept in its
 * place.
 */
export const sentenceOf = (problem: string): string => sentences[problem] ?? problem;

/** What to keep of a refusal for the page: its slug where there is a sentence for it. */
export const problemOf = ({ id, message }: { readonly id: string; readonly message: string }): string =>
  sentences[id] === undefined ? message.slice(0, 200) : id;
