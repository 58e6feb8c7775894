// Package main uses zitadel-go as its examples do: it calls the API, protects one of its own, and signs users in. The
// examples themselves know servers at port 443 only.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"google.golang.org/grpc/status"

	"github.com/zitadel/zitadel-go/v3/pkg/authentication"
	openid "github.com/zitadel/zitadel-go/v3/pkg/authentication/oidc"
	"github.com/zitadel/zitadel-go/v3/pkg/authorization"
	"github.com/zitadel/zitadel-go/v3/pkg/authorization/oauth"
	"github.com/zitadel/zitadel-go/v3/pkg/client"
	"github.com/zitadel/zitadel-go/v3/pkg/client/zitadel/auth"
	"github.com/zitadel/zitadel-go/v3/pkg/client/zitadel/management"
	object "github.com/zitadel/zitadel-go/v3/pkg/client/zitadel/object/v2"
	user "github.com/zitadel/zitadel-go/v3/pkg/client/zitadel/user/v2"
	"github.com/zitadel/zitadel-go/v3/pkg/http/middleware"
	"github.com/zitadel/zitadel-go/v3/pkg/zitadel"
)

var conf = zitadel.New("localhost", zitadel.WithInsecure(os.Getenv("DOORWARD_PORT")))

func main() {
	ctx := context.Background()
	authZ := must(authorization.New(ctx, conf, oauth.DefaultAuthorization(os.Getenv("API_KEY"))))
	key := os.Getenv("COOKIE_KEY")
	login := openid.DefaultAuthentication(os.Getenv("CLIENT_ID"), os.Getenv("REDIRECT_URI"), key)
	authN := must(authentication.New(ctx, conf, key, login))
	api, app := middleware.New(authZ), authentication.Middleware(authN)
	// Without credentials of its own: it calls as the user who calls it.
	plain := must(client.New(ctx, conf))

	http.Handle("/calls", answer(func(r *http.Request) (any, error) { return calls(r.Context()) }))
	http.Handle("/trip", answer(func(r *http.Request) (any, error) { return trip(r.Context()) }))
	http.Handle("/tasks", api.RequireAuthorization()(answer(func(r *http.Request) (any, error) {
		who := api.Context(r.Context())
		return map[string]any{"id": who.UserID(), "isAdmin": who.IsGrantedRole("admin")}, nil
	})))
	http.Handle("/admin", api.RequireAuthorization(authorization.WithRole("admin"))(answer(func(*http.Request) (any, error) {
		return "admin", nil
	})))
	http.Handle("/permissions", api.RequireAuthorization()(answer(func(r *http.Request) (any, error) {
		own := client.AuthorizedUserCtx(r.Context())
		found, err := plain.AuthService().ListMyZitadelPermissions(own, &auth.ListMyZitadelPermissionsRequest{})
		return found.GetResult(), err
	})))
	http.Handle("/auth/", authN)
	http.Handle("/profile", app.RequireAuthentication()(answer(func(r *http.Request) (any, error) {
		return app.Context(r.Context()).UserInfo, nil
	})))
	panic(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

// calls returns the organization of a service account, as it is known by each kind of credentials.
func calls(ctx context.Context) (any, error) {
	scopes := []string{oidc.ScopeOpenID, client.ScopeZitadelAPI()}
	names := map[string]string{}
	for kind, option := range map[string]client.TokenSourceInitializer{
		"key":    client.DefaultServiceUserAuthentication(os.Getenv("SERVICE_KEY"), scopes...),
		"secret": client.PasswordAuthentication(os.Getenv("SERVICE_NAME"), os.Getenv("SERVICE_SECRET"), scopes...),
		"token":  client.PAT(os.Getenv("SERVICE_TOKEN")),
	} {
		api, err := client.New(ctx, conf, client.WithAuth(option))
		if err != nil {
			return nil, err
		}
		mine, err := api.ManagementService().GetMyOrg(ctx, &management.GetMyOrgRequest{})
		if err != nil {
			return nil, err
		}
		names[kind] = mine.GetOrg().GetName()
	}
	return names, nil
}

// trip creates, reads, changes and deletes by both generations of the API, and returns what it read.
func trip(ctx context.Context) (any, error) {
	api, err := client.New(ctx, conf, client.WithAuth(client.PAT(os.Getenv("SERVICE_TOKEN"))))
	if err != nil {
		return nil, err
	}
	v1, v2 := api.ManagementService(), api.UserServiceV2()
	mine, err := v1.GetMyOrg(ctx, &management.GetMyOrgRequest{})
	if err != nil {
		return nil, err
	}

	var read []string
	project, err := v1.AddProject(ctx, &management.AddProjectRequest{Name: "Go"})
	if err != nil {
		return nil, err
	}
	if _, err = v1.UpdateProject(ctx, &management.UpdateProjectRequest{Id: project.GetId(), Name: "Golang"}); err != nil {
		return nil, err
	}
	byID := &management.GetProjectByIDRequest{Id: project.GetId()}
	found, err := v1.GetProjectByID(ctx, byID)
	if err != nil {
		return nil, err
	}
	read = append(read, found.GetProject().GetName())
	if _, err = v1.RemoveProject(ctx, &management.RemoveProjectRequest{Id: project.GetId()}); err != nil {
		return nil, err
	}
	_, err = v1.GetProjectByID(ctx, byID)
	read = append(read, status.Code(err).String())

	added, err := v2.AddHumanUser(ctx, &user.AddHumanUserRequest{
		Organization: &object.Organization{Org: &object.Organization_OrgId{OrgId: mine.GetOrg().GetId()}},
		Profile:      &user.SetHumanProfile{GivenName: "Grace", FamilyName: "Hopper"},
		Email: &user.SetHumanEmail{
			Email:        "grace@mail.example",
			Verification: &user.SetHumanEmail_IsVerified{IsVerified: true},
		},
	})
	if err != nil {
		return nil, err
	}
	id := added.GetUserId()
	change := &user.UpdateHumanUserRequest{
		UserId:  id,
		Profile: &user.SetHumanProfile{GivenName: "Amazing", FamilyName: "Grace"},
	}
	if _, err = v2.UpdateHumanUser(ctx, change); err != nil {
		return nil, err
	}
	person, err := v2.GetUserByID(ctx, &user.GetUserByIDRequest{UserId: id})
	if err != nil {
		return nil, err
	}
	read = append(read, person.GetUser().GetHuman().GetProfile().GetGivenName())
	if _, err = v2.DeleteUser(ctx, &user.DeleteUserRequest{UserId: id}); err != nil {
		return nil, err
	}
	_, err = v2.GetUserByID(ctx, &user.GetUserByIDRequest{UserId: id})
	return append(read, status.Code(err).String()), nil
}

func answer(work func(r *http.Request) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		said, err := work(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_ = json.NewEncoder(w).Encode(said)
	})
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
