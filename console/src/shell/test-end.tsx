import { useEffect } from "react";
import { Button } from "../parts/button.tsx";
import { t } from "../text/catalogue.ts";

/** What the window of a test shows at its end. It has no session, and reads nothing of its address. */
export function TestEnd() {
  useEffect(() => window.close(), []);
  return (
    <main className="alone">
      <h1>{t("application.test")}</h1>
      <p>{t("application.test.end")}</p>
      <p>
        <Button look="primary" onClick={() => window.close()}>
          {t("common.close")}
        </Button>
      </p>
    </main>
  );
}
