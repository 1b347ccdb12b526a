//! Empty: this package is a list of dependencies.
