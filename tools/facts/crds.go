package main

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

// CRDs are generated: each file has one, and indentation gives the place of a field.
var (
	crdLine     = regexp.MustCompile(`(?m)^kind: CustomResourceDefinition$`)
	bundleLine  = regexp.MustCompile(`(?m)^    gateway\.networking\.k8s\.io/bundle-version: (\S+)$`)
	groupLine   = regexp.MustCompile(`(?m)^  group: (\S+)$`)
	kindLine    = regexp.MustCompile(`(?m)^    kind: (\w+)$`)
	pluralLine  = regexp.MustCompile(`(?m)^    plural: (\w+)$`)
	versionLine = regexp.MustCompile(`(?m)^    name: (v\d\w*)$`)
	stable      = regexp.MustCompile(`^v\d+$`)
	keyLine     = regexp.MustCompile(`^ *(?:- )?([A-Za-z]\w*):`)
)

func (r *reader) crds(found *facts) {
	for _, channel := range []string{"standard", "experimental"} {
		folder := "config/crd/" + channel
		paths, err := fs.Glob(r.files, folder+"/*.yaml")
		failIf(err)
		found.CRDs[channel] = map[string]string{}
		for _, path := range paths {
			text, err := fs.ReadFile(r.files, path)
			failIf(err)
			crd := string(text)
			if !crdLine.MatchString(crd) {
				continue
			}
			one := func(line *regexp.Regexp, what string) string {
				matches := line.FindAllStringSubmatch(crd, -1)
				if len(matches) != 1 {
					panic(failure(fmt.Sprintf("%s: expected one %s, found %d", path, what, len(matches))))
				}
				return matches[0][1]
			}
			bundle, kind := one(bundleLine, "bundle version"), one(kindLine, "kind")
			if found.BundleVersion != "" && bundle != found.BundleVersion {
				panic(failure(fmt.Sprintf("%s: bundle version %s; others have %s", path, bundle, found.BundleVersion)))
			}
			found.BundleVersion = bundle
			newest := ""
			for _, version := range versionLine.FindAllStringSubmatch(crd, -1) {
				if !stable.MatchString(newest) {
					newest = version[1]
				}
			}
			if newest == "" {
				panic(failure(path + ": no versions"))
			}
			found.CRDs[channel][one(pluralLine, "plural name")] = one(groupLine, "group") + "/" + newest + "." + kind
			if mentioned := fieldProposals(crd); channel == "experimental" && len(mentioned) > 0 {
				found.FieldProposals[kind] = mentioned
			}
		}
		if len(found.CRDs[channel]) == 0 {
			panic(failure(folder + ": no CRDs"))
		}
	}
}

// fieldProposals returns the GEPs that the descriptions of a CRD mention, by field.
func fieldProposals(crd string) map[string][]int {
	type key struct {
		indent int
		name   string
	}
	found := map[string][]int{}
	var place []key
	described := -1 // indentation of the description around the line
	for _, line := range strings.Split(crd, "\n") {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if described < 0 || indent <= described && strings.TrimSpace(line) != "" {
			described = -1
			match := keyLine.FindStringSubmatch(line)
			if match == nil {
				continue
			}
			for len(place) > 0 && place[len(place)-1].indent >= indent {
				place = place[:len(place)-1]
			}
			if match[1] == "description" {
				described = indent
			} else {
				place = append(place, key{indent, match[1]})
			}
		}
		if numbers := proposals(line); described >= 0 && len(numbers) > 0 {
			var names []string
			for _, one := range place {
				if one.name == "openAPIV3Schema" {
					names = nil
				} else if one.name != "properties" && one.name != "items" {
					names = append(names, one.name)
				}
			}
			field := strings.Join(names, "/")
			found[field] = merged(found[field], numbers)
		}
	}
	return found
}
