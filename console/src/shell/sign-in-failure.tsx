import { Button } from "../parts/button.tsx";
import { SignInError } from "../session/sign-in.ts";
import { t } from "../text/catalogue.ts";

/** What is shown when there is no session: why, and the way to try again. */
export function SignInFailure({ error }: { readonly error: unknown }) {
  const isSecure = isSecureContext;
  return (
    <main className="alone">
      <h1>{t("signIn.title")}</h1>
      <p>{isSecure ? t("signIn.failed") : t("signIn.insecure")}</p>
      {error instanceof SignInError && (
        <p className="muted">{error.message === "" ? error.error : `${error.error}: ${error.message}`}</p>
      )}
      <p>
        <Button look="primary" onClick={() => location.reload()}>
          {t("signIn.again")}
        </Button>
      </p>
    </main>
  );
}
