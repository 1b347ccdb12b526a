// Reads a site with the client that OpenAPI Generator generates. .ci/other-tools puts this file into the client.

package conformance

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

func TestClientReadsSite(t *testing.T) {
	server := httptest.NewServer(http.FileServer(http.Dir(os.Getenv("SITE"))))
	defer server.Close()
	settings := NewConfiguration()
	if url := settings.Servers[0].URL; url != "https://acme.example/gwconform/api/v1" {
		t.Error(url)
	}
	settings.Servers[0].URL = server.URL + "/api/v1"
	api := NewAPIClient(settings).DefaultAPI
	ctx := context.Background()

	implementations, _, err := api.GetImplementations(ctx).Execute()
	if err != nil {
		t.Fatal(err)
	}
	verdict := implementations.Implementations[0].Families[0]
	if verdict.Family != FAMILY_GATEWAY || verdict.Standing != STANDING_CONFORMANT {
		t.Error(verdict)
	}
	text, _ := json.Marshal(verdict)
	later := strings.Replace(string(text), "{", `{"added_later": 1,`, 1)
	if err := json.Unmarshal([]byte(later), &verdict); err != nil {
		t.Error(err)
	}

	matrix, _, err := api.GetMatrix(ctx, "v1.6", "GATEWAY-HTTP").Execute()
	if err != nil || len(matrix.Features) == 0 {
		t.Error(err)
	}
	reports, _, err := api.GetReports(ctx).Execute()
	if err != nil || len(reports.Reports) == 0 {
		t.Error(err)
	}
	features, _, err := api.GetFeatures(ctx).Execute()
	if err != nil || len(features.Features) == 0 {
		t.Error(err)
	}
	changes, _, err := api.GetChanges(ctx).Execute()
	if err != nil || len(changes.Changes) == 0 {
		t.Error(err)
	}
	findings, _, err := api.GetFindings(ctx).Execute()
	if err != nil || len(findings.Findings) == 0 {
		t.Error(err)
	}
	index, _, err := api.GetIndex(ctx).Execute()
	if err != nil || len(index.Files) == 0 {
		t.Error(err)
	}
	support, _, err := api.GetSupport(ctx).Execute()
	if err != nil || len(support.Reports) == 0 {
		t.Error(err)
	}
	table, _, err := api.GetReportsCsv(ctx).Execute()
	if err != nil || !strings.Contains(table, "acme/operator") {
		t.Error(err)
	}
}
