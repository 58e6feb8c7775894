/** The one page: who is signed in, what is known about them, and what can be done. */
export function renderPage(
  claims: Readonly<Record<string, unknown>> | undefined,
  secondsLeft: number | undefined,
  problem?: string,
): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Example application</title>
<style>
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem; color-scheme: light dark }
  th { text-align: left; padding-right: 2rem; vertical-align: top }
  td { word-break: break-word }
  form { display: inline-block; margin-right: 0.5rem }
</style>
<main>
<h1>Example application</h1>
${problem === undefined ? "" : `<p role="alert">${encode(problem)}</p>`}
${claims === undefined ? signedOut : signedIn(claims, secondsLeft)}
</main>
</html>`;
}

const signedOut = `<p>You are not signed in.</p>
<p><a href="/sign-in">Sign in</a></p>`;

function signedIn(claims: Readonly<Record<string, unknown>>, secondsLeft: number | undefined): string {
  const rows = Object.entries(claims).map(
    ([name, value]) => `<tr><th scope="row">${encode(name)}</th><td>${encode(show(value))}</td></tr>`,
  );
  return `<p>You are signed in as <strong>${encode(show(claims["name"] ?? claims["sub"]))}</strong>.</p>
<form method="post" action="/refresh"><button>Refresh the tokens</button></form>
<form method="post" action="/sign-out"><button>Sign out</button></form>
<p>The access token is valid for another ${secondsLeft ?? 0} seconds.</p>
<table>${rows.join("\n")}</table>`;
}

const show = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

const encode = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
