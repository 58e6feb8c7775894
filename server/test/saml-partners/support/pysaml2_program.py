"""A service provider and an identity provider of pysaml2, configured as its documentation says."""

from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.client import Saml2Client
from saml2.config import IdPConfig, SPConfig
from saml2.ident import code, decode
from saml2.metadata import create_metadata_string
from saml2.saml import NAMEID_FORMAT_PERSISTENT, NameID
from saml2.server import Server
from saml2.sigver import verify_redirect_signature

from worker import serve

bindings = {"redirect": BINDING_HTTP_REDIRECT, "post": BINDING_HTTP_POST}
password = "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport"
# The defaults are those with SHA-1.
algorithms = {
    "signing_algorithm": "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    "digest_algorithm": "http://www.w3.org/2001/04/xmlenc#sha256",
}
parties = {}


def configure(config, directory, origin, metadata, service):
    keys = {"key_file": f"{directory}/key.pem", "cert_file": f"{directory}/cert.pem"}
    config.load(
        {
            **keys,
            "entityid": f"{origin}/metadata",
            "service": service,
            "encryption_keypairs": [keys],
            "xmlsec_binary": "/usr/bin/xmlsec1",
            # Otherwise it drops those that are in none of its maps.
            "allow_unknown_attributes": True,
            "metadata": {"inline": [metadata]} if metadata else {},
        }
    )
    return config


def create_sp(directory, origin, metadata=None):
    endpoints = {
        "assertion_consumer_service": [(f"{origin}/acs", BINDING_HTTP_POST)],
        "single_logout_service": [(f"{origin}/slo", BINDING_HTTP_REDIRECT)],
    }
    signs = ("authn_requests_signed", "logout_requests_signed", "logout_responses_signed")
    wants = ("want_response_signed", "want_assertions_signed")
    service = {"sp": {"endpoints": endpoints, **algorithms, **{name: True for name in signs + wants}}}
    config = configure(SPConfig(), directory, origin, metadata, service)
    parties["sp"] = Saml2Client(config)
    return str(create_metadata_string(None, config=config), "utf-8")


def create_idp(directory, origin, metadata=None):
    endpoints = {
        "single_sign_on_service": [(f"{origin}/sso", binding) for binding in bindings.values()],
        "single_logout_service": [(f"{origin}/slo", BINDING_HTTP_REDIRECT)],
    }
    service = {"idp": {"endpoints": endpoints, "name_id_format": [NAMEID_FORMAT_PERSISTENT], **algorithms}}
    config = configure(IdPConfig(), directory, origin, metadata, service)
    parties["idp"] = Server(config=config)
    return str(create_metadata_string(None, config=config), "utf-8")


def sign_in(binding):
    request_id, info = parties["sp"].prepare_for_authenticate(relay_state="where", binding=bindings[binding])
    return {"id": request_id, **to_http(info)}


def read_sign_in(response, request_id):
    read = parties["sp"].parse_authn_request_response(response, BINDING_HTTP_POST, {request_id: "/"})
    said = read.session_info()
    return {"name": code(said["name_id"]), "nameId": said["name_id"].text, "attributes": read.ava}


def sign_out(name):
    ((_, info),) = parties["sp"].global_logout(decode(name)).values()
    return to_http(info)


def read_sign_out(query):
    sp = parties["sp"]
    prove(sp, query)
    return sp.handle_logout_response(sp.parse_logout_request_response(query["SAMLResponse"], BINDING_HTTP_REDIRECT))[1]


def answer_sign_out(name, query):
    sp = parties["sp"]
    prove(sp, query)
    info = sp.handle_logout_request(query["SAMLRequest"], decode(name), BINDING_HTTP_REDIRECT, sign=True)
    return {**to_http(info), "isSignedIn": sp.is_logged_in(decode(name))}


def idp_sign_in(user, encrypted, query=None, form=None):
    idp = parties["idp"]
    if query is not None:
        prove(idp, query)
        message = idp.parse_authn_request(query["SAMLRequest"], BINDING_HTTP_REDIRECT).message
    else:
        message = idp.parse_authn_request(form["SAMLRequest"], BINDING_HTTP_POST).message
        if message.signature is None:
            raise ValueError("the request is not signed")
    asked = idp.response_args(message)
    response = idp.create_authn_response(
        user["attributes"],
        asked["in_response_to"],
        asked["destination"],
        asked["sp_entity_id"],
        name_id=NameID(format=NAMEID_FORMAT_PERSISTENT, text=user["id"]),
        authn={"class_ref": password},
        sign_response=True,
        sign_assertion=True,
        encrypt_assertion=encrypted,
    )
    return str(response)


def idp_sign_out(user_id, entity_id, destination):
    idp = parties["idp"]
    name_id = NameID(format=NAMEID_FORMAT_PERSISTENT, text=user_id)
    _, request = idp.create_logout_request(destination, entity_id, name_id=name_id)
    return to_http(idp.apply_binding(BINDING_HTTP_REDIRECT, str(request), destination, "theirs", sign=True))


def idp_read_sign_out(query):
    prove(parties["idp"], query)
    read = parties["idp"].parse_logout_request_response(query["SAMLResponse"], BINDING_HTTP_REDIRECT)
    return read.status_ok()


def idp_answer_sign_out(query):
    idp = parties["idp"]
    prove(idp, query)
    message = idp.parse_logout_request(query["SAMLRequest"], BINDING_HTTP_REDIRECT).message
    answer = idp.create_logout_response(message, [BINDING_HTTP_REDIRECT])
    to = idp.response_args(message, [BINDING_HTTP_REDIRECT])["destination"]
    info = idp.apply_binding(
        BINDING_HTTP_REDIRECT, str(answer), to, query.get("RelayState", ""), response=True, sign=True
    )
    return {**to_http(info), "nameId": message.name_id.text}


def prove(party, query):
    """Verifies a message that came by redirect, which version 7.0 leaves to the application."""
    (issuer,) = party.metadata.keys()
    certificates = [each[-1] if isinstance(each, tuple) else each for each in party.metadata.certs(issuer, "any", "signing")]
    if not any(verify_redirect_signature(dict(query), party.sec.sec_backend, each) for each in certificates):
        raise ValueError("the signature is not good")


def to_http(info):
    location = dict(info["headers"]).get("Location")
    return {"location": location, "page": None if location else info["data"]}


serve({name: value for name, value in list(globals().items()) if callable(value)})
