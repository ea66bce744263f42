// Renders a Helm chart as `helm template` does, for charts that use no more of Helm than this one: Go's templates, sprig,
// include, required, fail and toYaml. Reads {"templates": {path: text}, "values": …, "release": …, "chart": …} on standard
// input and writes the manifests, in the order of their paths, to standard output.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type input struct {
	Templates map[string]string      `json:"templates"`
	Values    map[string]interface{} `json:"values"`
	Release   map[string]interface{} `json:"release"`
	Chart     map[string]interface{} `json:"chart"`
}

func main() {
	var in input
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		giveUp(err)
	}
	manifests, err := render(in)
	if err != nil {
		giveUp(err)
	}
	fmt.Print(manifests)
}

func giveUp(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func render(in input) (string, error) {
	root := template.New("chart").Option("missingkey=zero")
	root.Funcs(functions(root))
	paths := make([]string, 0, len(in.Templates))
	for path := range in.Templates {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	for _, path := range paths {
		if _, err := root.New(path).Parse(in.Templates[path]); err != nil {
			return "", err
		}
	}
	data := map[string]interface{}{"Values": in.Values, "Release": in.Release, "Chart": in.Chart}
	var out strings.Builder
	for _, path := range paths {
		if strings.HasSuffix(path, ".tpl") {
			continue
		}
		var text bytes.Buffer
		if err := root.ExecuteTemplate(&text, path, data); err != nil {
			return "", err
		}
		if manifest := strings.TrimSpace(text.String()); manifest != "" {
			fmt.Fprintf(&out, "---\n# Source: %s\n%s\n", path, strings.TrimPrefix(manifest, "---\n"))
		}
	}
	// Templates print what is missing as "<no value>"; helm prints nothing, which hides the mistake.
	if strings.Contains(out.String(), "<no value>") {
		return "", fmt.Errorf("a template uses a value that does not exist")
	}
	return out.String(), nil
}

func functions(root *template.Template) template.FuncMap {
	all := sprig.TxtFuncMap()
	all["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := root.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	all["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, fmt.Errorf("%s", message)
		}
		return value, nil
	}
	all["toYaml"] = toYaml
	// What helm leaves out, so that a chart that renders here renders there.
	delete(all, "env")
	delete(all, "expandenv")
	return all
}

// By way of JSON, as helm does: whole numbers stay whole.
func toYaml(value interface{}) (string, error) {
	asJson, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	var plain interface{}
	if err := yaml.Unmarshal(asJson, &plain); err != nil {
		return "", err
	}
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	if err := encoder.Encode(plain); err != nil {
		return "", err
	}
	return strings.TrimSuffix(text.String(), "\n"), nil
}
