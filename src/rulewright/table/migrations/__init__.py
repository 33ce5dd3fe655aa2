"""The steps by which a database comes from one version's shape to the next."""
