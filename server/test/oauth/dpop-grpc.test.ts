import assert from "node:assert/strict";
import { test } from "node:test";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { UserService } from "@doorward/api/service/user/v2/user_service_pb";
import { fetchNonce, makeProof, makeProofKey } from "../support/oidc/dpop.ts";
import { startOidcServer } from "../support/oidc/oidc.ts";

test("a token that is bound works over gRPC and gRPC-Web with its proof only", async (t) => {
  const server = await startOidcServer(t);
  const key = await makeProofKey();
  const { code, codeVerifier } = await server.signIn({ scope: "openid urn:service:iam:org:project:id:service:aud" });
  const dpop = await makeProof(server, key, { path: "/oauth/v2/token", nonce: await fetchNonce(server, key) });
  const { body } = await server.form(
    "/oauth/v2/token",
    {
      grant_type: "authorization_code",
      code,
      code_verifier: codeVerifier,
      redirect_uri: server.client.redirectUri,
    },
    { ...server.client.basic, dpop },
  );
  const accessToken: string = body.access_token;
  const path = "/service.user.v2.UserService/GetUserByID";
  const transports = [
    createGrpcTransport({ baseUrl: server.origin }),
    createGrpcWebTransport({ baseUrl: server.origin, httpVersion: "1.1" }),
  ];
  for (const transport of transports) {
    const client = createClient(UserService, transport);
    const call = (headers: Record<string, string>) => client.getUserByID({ userId: server.user.userId }, { headers });
    const proof = () => makeProof(server, key, { path, accessToken });
    const used = await proof();
    const answer = await call({ authorization: `DPoP ${accessToken}`, dpop: used });
    assert.equal(answer.user?.userId, server.user.userId);
    const wrong: Record<string, string>[] = [
      { authorization: `DPoP ${accessToken}`, dpop: used },
      { authorization: `DPoP ${accessToken}` },
      { authorization: `Bearer ${accessToken}`, dpop: await proof() },
      { authorization: `DPoP ${accessToken}`, dpop: await makeProof(server, key, { path: "/other", accessToken }) },
    ];
    for (const headers of wrong) {
      await assert.rejects(
        call(headers),
        (error) => error instanceof ConnectError && error.code === Code.Unauthenticated,
      );
    }
  }
});
