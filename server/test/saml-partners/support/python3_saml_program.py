"""A service provider of python3-saml, configured as its documentation says."""

from onelogin.saml2.auth import OneLogin_Saml2_Auth
from onelogin.saml2.idp_metadata_parser import OneLogin_Saml2_IdPMetadataParser
from onelogin.saml2.settings import OneLogin_Saml2_Settings

from worker import serve

given = {}


def create(origin, key, certificate, metadata=None, encrypted=True):
    signs = ("authnRequestsSigned", "logoutRequestSigned", "logoutResponseSigned")
    wants = ("wantMessagesSigned", "wantAssertionsSigned", "rejectDeprecatedAlgorithm")
    settings = {
        "strict": True,
        "sp": {
            "entityId": f"{origin}/metadata",
            "assertionConsumerService": {"url": f"{origin}/acs"},
            "singleLogoutService": {"url": f"{origin}/slo"},
            "NameIDFormat": "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
            "x509cert": certificate,
            "privateKey": key,
        },
        "security": {
            **{name: True for name in signs + wants},
            "wantAssertionsEncrypted": encrypted,
            "signatureAlgorithm": "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
            "digestAlgorithm": "http://www.w3.org/2001/04/xmlenc#sha256",
        },
    }
    if metadata is not None:
        settings["idp"] = OneLogin_Saml2_IdPMetadataParser.parse(metadata)["idp"]
    given["settings"] = settings
    return str(OneLogin_Saml2_Settings(given["settings"], sp_validation_only=True).get_sp_metadata(), "utf-8")


def visit(path, query=None, form=None):
    request = {"https": "on", "http_host": "sp.example", "script_name": path}
    return OneLogin_Saml2_Auth({**request, "get_data": query or {}, "post_data": form or {}}, given["settings"])


def sign_in():
    auth = visit("/")
    return {"location": auth.login("where"), "id": auth.get_last_request_id()}


def read_sign_in(form, request_id):
    auth = visit("/acs", form=form)
    auth.process_response(request_id)
    check(auth)
    return {
        "nameId": auth.get_nameid(),
        "format": auth.get_nameid_format(),
        "sessionIndex": auth.get_session_index(),
        "attributes": auth.get_attributes(),
    }


def sign_out(name_id, name_format, session_index):
    auth = visit("/")
    location = auth.logout("where", name_id, session_index, name_id_format=name_format)
    return {"location": location, "id": auth.get_last_request_id()}


def end(query, request_id=None):
    """Reads the answer to its logout, or answers a logout of the identity provider."""
    auth = visit("/slo", query=query)
    ended = []
    location = auth.process_slo(request_id=request_id, delete_session_cb=lambda: ended.append(True))
    check(auth)
    return {"location": location, "hasEnded": ended == [True]}


def check(auth):
    if auth.get_errors():
        raise ValueError(f"{auth.get_errors()} {auth.get_last_error_reason()}")


serve({name: value for name, value in list(globals().items()) if callable(value)})
