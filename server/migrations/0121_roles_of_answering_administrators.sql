-- What the administrators who answer for a provider hold over its owner, as JSON: a list of authors, each with roles or permissions. Those from before
-- are kept as the permissions that they had then.
update identity_providers set answered_with = '[[{"level":"' || case when organization_id = '' then 'instance' else 'organization' end
    || '","resourceId":"' || replace(replace(organization_id, '\', '\\'), '"', '\"')
    || '","permissions":["' || replace(answered_with, ' ', '","') || '"]}]]'
  where answered_with is not null;
