"""Makes a domain with users, from a line of JSON: where, the certificate's folder, and the users."""

import json
import logging
import sys

from samba.auth import system_session
from samba.dsdb import DS_DOMAIN_FUNCTION_2008_R2
from samba.provision import provision

given = json.loads(sys.stdin.readline())
logging.disable(logging.CRITICAL)
samdb = provision(
    logging.getLogger(),
    system_session(),
    targetdir=given["directory"],
    realm="EXAMPLE.ORG",
    domain="EXAMPLE",
    hostname="dc",
    hostip="127.0.0.1",
    adminpass=given["password"],
    serverrole="active directory domain controller",
    dns_backend="NONE",
    base_schema="2008_R2_old",
    dom_for_fun_level=DS_DOMAIN_FUNCTION_2008_R2,
).samdb
for user in given["users"]:
    must_change = user.pop("must_change", False)
    is_disabled = user.pop("is_disabled", False)
    samdb.newuser(**user, force_password_change_at_next_login_req=must_change)
    if is_disabled:
        samdb.disable_account(f"(sAMAccountName={user['username']})")
