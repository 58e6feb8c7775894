-- Id tokens name the client alone from now on. Applications that exist keep the audience that their readers know.
update applications set configuration = '{"isIdTokenAudienceWide":true,' || substr(configuration, 2)
  where kind = 'oidc' and configuration like '{"%';
