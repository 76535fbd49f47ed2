// A stand-in for `helm template`, for machines that have no Helm: the same template language and functions, without hooks,
// subcharts, schema, .Files and .Capabilities. Reads {"chart": folder, "release": …, "values": {…}} from stdin and prints
// {"<template>": "<text>"}.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type object = map[string]interface{}

func main() {
	var input struct {
		Chart   string
		Release string
		Values  object
	}
	check(json.NewDecoder(os.Stdin).Decode(&input))
	var about struct {
		Name       string `yaml:"name"`
		Version    string `yaml:"version"`
		AppVersion string `yaml:"appVersion"`
	}
	check(yaml.Unmarshal(read(filepath.Join(input.Chart, "Chart.yaml")), &about))
	values := object{}
	check(yaml.Unmarshal(read(filepath.Join(input.Chart, "values.yaml")), &values))
	merge(values, input.Values)

	all := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		var text bytes.Buffer
		encoder := yaml.NewEncoder(&text)
		encoder.SetIndent(2)
		err := encoder.Encode(value)
		return strings.TrimSuffix(text.String(), "\n"), err
	}
	all.Funcs(functions)

	files, err := filepath.Glob(filepath.Join(input.Chart, "templates", "*"))
	check(err)
	for _, file := range files {
		_, err := all.New(filepath.Base(file)).Parse(string(read(file)))
		check(err)
	}
	data := object{
		"Values":  values,
		"Chart":   object{"Name": about.Name, "Version": about.Version, "AppVersion": about.AppVersion},
		"Release": object{"Name": input.Release, "Namespace": "default", "Service": "Helm"},
	}
	made := map[string]string{}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var text bytes.Buffer
		check(all.ExecuteTemplate(&text, name, data))
		made[name] = text.String()
	}
	check(json.NewEncoder(os.Stdout).Encode(made))
}

// As Helm does: what is given wins, key by key; null takes away.
func merge(into object, from object) {
	for key, value := range from {
		given, isObject := value.(object)
		known, isKnown := into[key].(object)
		if isObject && isKnown {
			merge(known, given)
		} else if value == nil {
			delete(into, key)
		} else {
			into[key] = value
		}
	}
}

func read(file string) []byte {
	bytes, err := os.ReadFile(file)
	check(err)
	return bytes
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
