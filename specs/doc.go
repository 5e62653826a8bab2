// Package specs holds the project's numbered requirements and reads them.
//
// Each YAML file is one subject: groups of requirements in our own wording.
// Where the public specification of the protocol has an id for a meaning, that
// id is used; ids that begin with BA are this project's own. A test says which
// requirements it proves by a line "Proves: ID, ID" in its doc comment; package
// matrix under test/ joins the two and fails the build for a demanded
// requirement without a test.
//
// Nothing of this package is linked into the program.
package specs
