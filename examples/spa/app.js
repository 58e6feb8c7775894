// The library's browser build puts itself here.
const { UserManager } = globalThis.oidc;

const { issuer, clientId } = await (await fetch("settings.json")).json();

const users = new UserManager({
  authority: issuer,
  client_id: clientId,
  redirect_uri: `${location.origin}/`,
  post_logout_redirect_uri: `${location.origin}/`,
  scope: "openid profile email offline_access",
  // This page renews when you press the button; leave it out and the library renews by itself.
  automaticSilentRenew: false,
});

const element = (id) => document.getElementById(id);

function show(user) {
  element("who").textContent = user ? `Signed in as ${user.profile.name}` : "Not signed in";
  element("claims").textContent = user ? JSON.stringify(user.profile, null, 2) : "";
  element("sign-in").hidden = Boolean(user);
  for (const id of ["renew", "sign-out"]) element(id).hidden = !user;
}

element("sign-in").onclick = () => users.signinRedirect();
element("sign-out").onclick = () => users.signoutRedirect();
element("renew").onclick = async () => {
  const before = (await users.getUser())?.access_token;
  const user = await users.signinSilent();
  show(user && (await withUserinfo(user)));
  element("who").textContent += user?.access_token === before ? " (same token)" : " (renewed)";
};

// Back from Doorward with a code: exchange it, and take it out of the address.
if (new URLSearchParams(location.search).has("code")) {
  await users.signinCallback();
  history.replaceState(undefined, "", "/");
}
const user = await users.getUser();
// The library fills the profile from the id token; names and addresses come from the userinfo endpoint.
show(user && (await withUserinfo(user)));

async function withUserinfo(signedIn) {
  const { userinfo_endpoint: endpoint } = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
  const answer = await fetch(endpoint, { headers: { authorization: `Bearer ${signedIn.access_token}` } });
  if (answer.ok) Object.assign(signedIn.profile, await answer.json());
  return signedIn;
}
