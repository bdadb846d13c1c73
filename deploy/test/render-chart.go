// Renders a chart like `helm template`, for machines without Helm. Needs Debian's golang and golang-github-masterminds-sprig-dev.
// Reads {"Values", "Chart", "Release"} as JSON, and writes one YAML stream: render-chart FOLDER < context.json
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
)

type files string

// Get returns a file of the chart.
func (folder files) Get(name string) string {
	text, err := os.ReadFile(filepath.Join(string(folder), name))
	check(err)
	return string(text)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	chart := os.Args[1]
	context := map[string]interface{}{}
	check(json.NewDecoder(os.Stdin).Decode(&context))
	context["Files"] = files(chart)

	all := template.New("chart").Option("missingkey=zero").Funcs(sprig.TxtFuncMap())
	all.Funcs(template.FuncMap{
		"include": func(name string, data interface{}) (string, error) {
			var text strings.Builder
			err := all.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
		"required": func(message string, value interface{}) (interface{}, error) {
			if value == nil || value == "" {
				return nil, errors.New(message)
			}
			return value, nil
		},
	})
	names, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	for _, name := range names {
		text, err := os.ReadFile(name)
		check(err)
		_, err = all.New(filepath.Base(name)).Parse(string(text))
		check(err)
	}
	for _, name := range names {
		if filepath.Ext(name) == ".yaml" {
			fmt.Println("---")
			check(all.ExecuteTemplate(os.Stdout, filepath.Base(name), context))
		}
	}
}
