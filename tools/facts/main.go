// Command facts prints the conformance data of a Gateway API checkout as JSON, for `gwconform registry`.
//
//	facts DIR
//
// It parses and type-checks the sources below DIR. It never runs them, reads no file outside DIR, and downloads no
// module: other modules are empty packages, because names, lists and flags do not depend on them. Unsupported code is an
// error with file, line and column. Releases up to v1.1 declare their data in other ways and are not supported.
package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: facts DIR")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	found, err := read(root.FS())
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	return out.Encode(found)
}

// facts is the data of a release. Lists of features are sorted, except those of tests.
type facts struct {
	// BundleVersion is the release that the CRDs name.
	BundleVersion string `json:"bundleVersion"`
	// ReportAPIVersion is the `apiVersion` of the reports that the suite writes.
	ReportAPIVersion string `json:"reportApiVersion"`
	// ReportFields are the JSON names of all fields of a report.
	ReportFields []string `json:"reportFields"`
	// IsTestExtended is the digest of the function that decides whether a test is core or extended.
	IsTestExtended string `json:"isTestExtended"`
	// CRDs are the newest versions of all kinds, such as `gateway.networking.k8s.io/v1.Gateway`, by channel and plural name.
	CRDs map[string]map[string]string `json:"crds"`
	// FieldProposals are the GEPs that the CRDs mention, by kind and field, such as `spec/rules/timeouts`.
	FieldProposals map[string]map[string][]int `json:"fieldProposals"`
	Features       map[string]*feature         `json:"features"`
	Profiles       map[string]profile          `json:"profiles"`
	Tests          map[string]test             `json:"tests"`
}

type feature struct {
	Level   string `json:"level"`
	Channel string `json:"channel"`
	// Resource is the kind that the feature belongs to, or empty.
	Resource string `json:"resource,omitempty"`
	// Meaning is the first sentence of the comment, or empty.
	Meaning string `json:"meaning,omitempty"`
	// Proposals are the GEPs that the comment or a test of the feature mentions.
	Proposals []int `json:"proposals,omitempty"`
}

type profile struct {
	// ReportName is the name that the suite writes.
	ReportName string   `json:"reportName"`
	Core       []string `json:"core"`
	Extended   []string `json:"extended"`
}

type test struct {
	Features    []string `json:"features"`
	Provisional bool     `json:"provisional,omitempty"`
	// Parallel means that the suite writes the report before the test finishes.
	Parallel bool `json:"parallel,omitempty"`
	// Source is the path below `conformance/tests`.
	Source string `json:"source"`
}

// read returns the facts of a checkout.
func read(files fs.FS) (found *facts, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			unsupported, ok := reason.(failure)
			if !ok {
				panic(reason)
			}
			found, err = nil, unsupported
		}
	}()
	r := newReader(files)
	found = &facts{
		CRDs:           map[string]map[string]string{},
		FieldProposals: map[string]map[string][]int{},
		Features:       map[string]*feature{},
		Profiles:       map[string]profile{},
		Tests:          map[string]test{},
	}
	r.crds(found)
	r.features(found)
	r.suite(found)
	r.tests(found)
	return found, nil
}

// failure is the error for content that is not supported, with its position.
type failure string

func (f failure) Error() string { return string(f) }
