package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// recipeName is the file that makes a folder a project.
const recipeName = "prochost.lua"

// place is where a verb works.
type place struct {
	recipe  string // the entry recipe, absolute; "": there is none
	project string // the folder of the project, absolute and without links
}

// here finds the project, which need not have a recipe: the folder that was named, else the first one upward from the
// working directory that has a recipe or a host, else that directory itself.
func (a *app) here() (place, error) {
	named := a.named()
	dir, err := filepath.Abs(named)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return place{}, fmt.Errorf("look for the project: %w", err)
	}
	project := dir
	if named == "" {
		for d := dir; ; d = filepath.Dir(d) {
			if exists(filepath.Join(d, recipeName)) || a.reach.hosted(d) {
				project = d
				break
			}
			if d == filepath.Dir(d) {
				break
			}
		}
	}
	p := place{project: project}
	if recipe := filepath.Join(project, recipeName); exists(recipe) {
		p.recipe = recipe
	}
	return p, nil
}

// named is the folder that the command line or the environment says is the project; "": neither does.
func (a *app) named() string {
	if a.project != "" {
		return a.project
	}
	return a.getenv("PROCHOST_PROJECT")
}

// locate finds the recipe: file if it is given, else that of the project that was named, else the first one upward
// from the working directory.
func (a *app) locate(file string) (place, error) {
	p, err := locate(file, a.named())
	if err != nil {
		return place{}, err
	}
	if p.project, err = filepath.EvalSymlinks(p.project); err != nil {
		return place{}, fmt.Errorf("look for the project: %w", err)
	}
	return p, nil
}

func locate(file, project string) (p place, err error) {
	if p.recipe, err = filepath.Abs(file); err != nil {
		return place{}, fmt.Errorf("look for the recipe: %w", err)
	}
	if p.project, err = filepath.Abs(project); err != nil {
		return place{}, fmt.Errorf("look for the project: %w", err)
	}
	switch {
	case file == "" && project == "":
		return upward(p.project)
	case file == "":
		p.recipe = filepath.Join(p.project, recipeName)
		if !exists(p.recipe) {
			return place{}, fmt.Errorf("there is no %s in %s", recipeName, p.project)
		}
	case project == "":
		p.project = filepath.Dir(p.recipe)
	}
	if file != "" && !exists(p.recipe) {
		return place{}, fmt.Errorf("there is no recipe %s", file)
	}
	return p, nil
}

// upward looks for a recipe in dir and in every folder above it.
func upward(dir string) (place, error) {
	for d := dir; ; d = filepath.Dir(d) {
		if recipe := filepath.Join(d, recipeName); exists(recipe) {
			return place{recipe: recipe, project: d}, nil
		}
		if d == filepath.Dir(d) {
			return place{}, fmt.Errorf("there is no %s in %s or above it; \"prochost help recipes\" shows how to write one", recipeName, dir)
		}
	}
}

// exists reports whether something is there. What cannot be looked at is there: reading it will say why it cannot.
func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, os.ErrNotExist)
}
