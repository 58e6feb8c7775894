import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { TestContext } from "node:test";
import type { KeyPair } from "../../saml/support.ts";
import { type ProgramFiles, startForeignProgram } from "../../support/servers/foreign-program.ts";

const php = "/usr/bin/php";
const pages = "/usr/share/simplesamlphp/www";

/** Why tests with SimpleSAMLphp are skipped; `false` when they run. Under `CI=true` they run, and fail without it. */
export function reasonWithoutSimpleSamlPhp(): string | false {
  if ((existsSync(php) && existsSync(pages)) || process.env["CI"] === "true") return false;
  return "SimpleSAMLphp is missing: apt-get install simplesamlphp php-cli php-xml php-mbstring";
}

export interface SimpleSamlPhp {
  readonly files: ProgramFiles;
  readonly port: number;
  readonly origin: string;
  readonly key: KeyPair;
  /** Entity id of our identity provider. */
  readonly idp: string;
  /** Documents of metadata, which may be written later. */
  readonly metadata: readonly string[];
}

/**
 * Starts SimpleSAMLphp in the web server of PHP: a service provider (`default-sp`), and an identity provider with the
 * user `bob`, whose password is the name.
 */
export async function startSimpleSamlPhp(t: TestContext, given: SimpleSamlPhp): Promise<void> {
  const { files, port } = given;
  for (const folder of ["metadata", "sessions", "temporary"]) mkdirSync(join(files.directory, folder));
  files.write("key.pem", given.key.privateKey);
  files.write("cert.pem", given.key.certificate);
  files.write("config.php", configuration(given));
  files.write("authsources.php", sources(given.idp));
  files.write("metadata/saml20-idp-hosted.php", identityProvider);
  await startForeignProgram(t, {
    command: php,
    options: ["-d", "opcache.enable_cli=1", "-S", `127.0.0.1:${port}`, "-t", pages],
    directory: files.directory,
    port,
    env: { SIMPLESAMLPHP_CONFIG_DIR: files.directory },
  });
}

const configuration = ({ files: { directory }, origin, metadata }: SimpleSamlPhp): string => `<?php
$config = [
  'baseurlpath' => '${origin}/',
  'certdir' => '${directory}',
  'metadatadir' => '${directory}/metadata',
  'tempdir' => '${directory}/temporary',
  'loggingdir' => '${directory}',
  'logging.handler' => 'file',
  'logging.level' => SimpleSAML\\Logger::INFO,
  'secretsalt' => 'the salt of this test',
  'auth.adminpassword' => 'unused here',
  'timezone' => 'UTC',
  'enable.saml20-idp' => true,
  'module.enable' => ['exampleauth' => true, 'core' => true, 'saml' => true],
  'store.type' => 'phpsession',
  'session.phpsession.savepath' => '${directory}/sessions',
  'session.cookie.secure' => false,
  'metadata.sources' => [
    ['type' => 'flatfile'],
${metadata.map((name) => `    ['type' => 'xml', 'file' => '${directory}/${name}'],`).join("\n")}
  ],
];
`;

const sources = (idp: string): string => `<?php
$config = [
  'default-sp' => [
    'saml:SP',
    'idp' => '${idp}',
    'privatekey' => 'key.pem',
    'certificate' => 'cert.pem',
    'sign.authnrequest' => true,
    'sign.logout' => true,
    'validate.logout' => true,
    'assertion.encryption' => true,
    'NameIDPolicy' => ['Format' => 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent', 'AllowCreate' => true],
  ],
  'users' => [
    'exampleauth:UserPass',
    'bob:bob' => [
      'uid' => ['bob'],
      'mail' => ['bob@mail.example'],
      'givenName' => ['Bob'],
      'sn' => ['Example'],
      'email_verified' => ['true'],
    ],
  ],
];
`;

const identityProvider = `<?php
$metadata['__DYNAMIC:1__'] = [
  'host' => '__DEFAULT__',
  'privatekey' => 'key.pem',
  'certificate' => 'cert.pem',
  'auth' => 'users',
  'authproc' => [3 => ['class' => 'saml:PersistentNameID', 'attribute' => 'uid']],
  'saml20.sign.response' => true,
  'saml20.sign.assertion' => true,
  'assertion.encryption' => true,
  'redirect.sign' => true,
  'redirect.validate' => true,
];
`;
