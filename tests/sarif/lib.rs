//! This package contains no code, only dependencies.
