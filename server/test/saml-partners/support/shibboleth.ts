import type { TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { KeyPair } from "../../saml/support.ts";
import { fetch } from "../../support/http/fetch.ts";
import { freePort } from "../../support/http/free-port.ts";
import { type ProgramFiles, startForeignProgram } from "../../support/servers/foreign-program.ts";
import { startApache } from "./apache.ts";

export interface Shibboleth {
  readonly files: ProgramFiles;
  readonly port: number;
  readonly origin: string;
  readonly key: KeyPair;
  /** Entity id of our identity provider, where it also gets our metadata. */
  readonly idp: string;
}

/**
 * Starts a service provider: the daemon of Shibboleth, and Apache, which asks it about sessions. Returns its metadata.
 */
export async function startShibboleth(t: TestContext, given: Shibboleth): Promise<string> {
  const { files, port } = given;
  files.write("key.pem", given.key.privateKey);
  files.write("cert.pem", given.key.certificate);
  files.write("attributes.xml", attributes);
  files.write("logger", logger(files.directory));
  const daemon = await freePort();
  const file = files.write("shibboleth2.xml", configuration(given, daemon));
  const options = ["-F", "-f", "-c", file, "-p", `${files.directory}/shibd.pid`];
  await startForeignProgram(t, { command: "/usr/sbin/shibd", options, directory: files.directory, port: daemon });
  const directives = `
ShibConfig ${file}
<Location /private>
  AuthType shibboleth
  ShibRequestSetting requireSession 1
  Require shib-session
  Header always set x-user-id "%{UserID}e"
  Header always set x-name-id "%{NameID}e"
</Location>
<Location /Shibboleth.sso>
  SetHandler shib
</Location>`;
  await startApache(t, { files, port, module: "shib", directives });
  return ownMetadata(`${given.origin}/Shibboleth.sso/Metadata`);
}

// On a busy machine the two may not be ready for each other when their ports are open.
async function ownMetadata(address: string): Promise<string> {
  let document = "";
  for (let attempt = 0; attempt < 50; attempt++) {
    document = await (await fetch(address)).text();
    if (/<\/md:EntityDescriptor>\s*$/.test(document)) return document;
    await wait(100);
  }
  throw new Error(`Shibboleth has no metadata: ${document}`);
}

const configuration = ({ files: { directory }, origin, idp }: Shibboleth, daemon: number): string => `
<SPConfig xmlns="urn:mace:shibboleth:3.0:native:sp:config" clockSkew="180">
  <OutOfProcess logger="${directory}/logger"/>
  <InProcess logger="${directory}/logger"/>
  <TCPListener address="127.0.0.1" port="${daemon}" acl="127.0.0.1"/>
  <ApplicationDefaults entityID="${origin}/shibboleth" REMOTE_USER="NameID" signing="true">
    <Sessions lifetime="28800" timeout="3600" relayState="ss:mem" checkAddress="false" handlerSSL="false"
        cookieProps="http" redirectLimit="exact">
      <SSO entityID="${idp}">SAML2</SSO>
      <Logout>SAML2 Local</Logout>
      <Handler type="MetadataGenerator" Location="/Metadata" signing="false"/>
    </Sessions>
    <MetadataProvider type="XML" validate="true" url="${idp}" backingFilePath="${directory}/idp.xml" maxRefreshDelay="7200"/>
    <AttributeExtractor type="XML" validate="true" reloadChanges="false" path="${directory}/attributes.xml"/>
    <CredentialResolver type="File" key="${directory}/key.pem" certificate="${directory}/cert.pem"/>
  </ApplicationDefaults>
  <SecurityPolicyProvider type="XML" validate="true" path="/etc/shibboleth/security-policy.xml"/>
  <ProtocolProvider type="XML" validate="true" reloadChanges="false" path="/etc/shibboleth/protocols.xml"/>
</SPConfig>
`;

const attributes = `
<Attributes xmlns="urn:mace:shibboleth:2.0:attribute-map">
  <Attribute name="UserID" nameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic" id="UserID"/>
  <Attribute name="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress" id="NameID">
    <AttributeDecoder xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="NameIDAttributeDecoder"
        formatter="$Name"/>
  </Attribute>
</Attributes>
`;

const logger = (directory: string): string => `
log4j.rootCategory=WARN, log
log4j.appender.log=org.apache.log4j.FileAppender
log4j.appender.log.fileName=${directory}/log.shibboleth
log4j.appender.log.layout=org.apache.log4j.BasicLayout
`;
